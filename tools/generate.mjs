// Generates the Prisma client of every service whose schema changed. In-process: nothing is downloaded.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const root = path.resolve(import.meta.dirname, '..');

/** Answers the services whose client was generated now. */
export async function generate() {
  const stale = servicesWithSchema().filter(({ schemaPath, stamp, output }) => {
    const hash = hashOf(schemaPath);
    return !fs.existsSync(output) || !fs.existsSync(stamp) || fs.readFileSync(stamp, 'utf8') !== hash;
  });
  if (!stale.length) return [];
  const require = createRequire(import.meta.url);
  const { PrismaClientTsGenerator } = require('@prisma/client-generator-ts');
  const { getConfig, getDMMF } = require('@prisma/internals');
  const { enginesVersion } = require('@prisma/engines-version');
  const clientVersion = require('@prisma/client/package.json').version;
  for (const { schemaPath, stamp, output } of stale) {
    const datamodel = fs.readFileSync(schemaPath, 'utf8');
    const files = [[schemaPath, datamodel]];
    const config = await getConfig({ datamodel: files });
    const dmmf = await getDMMF({ datamodel: files });
    const [generator] = config.generators;
    generator.isCustomOutput = true;
    generator.output = { fromEnvVar: null, value: output };
    await new PrismaClientTsGenerator().generate({
      generator,
      otherGenerators: [],
      schemaPath,
      dmmf,
      datasources: config.datasources,
      datamodel,
      version: enginesVersion,
      clientVersion,
      binaryPaths: {},
    });
    fs.writeFileSync(stamp, hashOf(schemaPath));
  }
  return stale.map(({ name }) => name);
}

function servicesWithSchema() {
  return fs
    .readdirSync(path.join(root, 'services'))
    .map((name) => ({
      name,
      schemaPath: path.join(root, 'services', name, 'prisma/schema.prisma'),
      output: path.join(root, 'services', name, 'src/generated/prisma'),
      stamp: path.join(root, 'services', name, 'src/generated/.schema'),
    }))
    .filter(({ schemaPath }) => fs.existsSync(schemaPath));
}

function hashOf(file) {
  return createHash('sha256').update(fs.readFileSync(file)).digest('hex');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const names = await generate();
  console.log(
    names.length ? `generated the database client of ${names.join(', ')}` : 'database clients are up to date',
  );
}
