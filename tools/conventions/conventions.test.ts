import fs from 'node:fs';
import path from 'node:path';
import { ERROR_CODES } from '../../packages/errors/src/error-codes';
import { statusOf } from '../../packages/http/src/error-response';

const root = path.resolve(__dirname, '../..');
const services = fs.readdirSync(path.join(root, 'services'));
const packages = fs.readdirSync(path.join(root, 'packages'));
const read = (...parts: string[]) => fs.readFileSync(path.join(root, ...parts), 'utf8');
const exists = (...parts: string[]) => fs.existsSync(path.join(root, ...parts));

function sources(...parts: string[]): string[] {
  const dir = path.join(root, ...parts);
  if (!fs.existsSync(dir)) return [];
  return fs
    .readdirSync(dir, { recursive: true, encoding: 'utf8' })
    .filter(
      (file) =>
        file.endsWith('.ts') &&
        !/(^|\/)(node_modules|dist|generated)\//.test(file) &&
        !file.endsWith('.test.ts'),
    )
    .map((file) => path.join(...parts, file));
}

describe.each(services)('services/%s', (name) => {
  test('has the skeleton of a service', () => {
    for (const file of [
      'README.md',
      'package.json',
      'tsconfig.json',
      'prisma/schema.prisma',
      'prisma/migrations',
      'test',
    ]) {
      expect([file, exists('services', name, file)]).toEqual([file, true]);
    }
    const definition = read('services', name, 'src/service.ts');
    const doors = definition.includes('routes: [],') && !definition.includes('frontDoor') ? [] : ['http'];
    for (const file of ['main.ts', 'service.ts', 'config.ts', 'deps.ts', 'storage/database.ts', ...doors]) {
      expect([file, exists('services', name, 'src', file)]).toEqual([file, true]);
    }
  });

  test('has only the folders that services have', () => {
    const known = [
      'http',
      'rpc',
      'consumers',
      'workers',
      'use-cases',
      'domain',
      'storage',
      'adapters',
      'generated',
    ];
    const folders = fs
      .readdirSync(path.join(root, 'services', name, 'src'), { withFileTypes: true })
      .filter((entry) => entry.isDirectory());
    expect(folders.map((folder) => folder.name).filter((folder) => !known.includes(folder))).toEqual([]);
  });

  test('has one name everywhere', () => {
    expect(JSON.parse(read('services', name, 'package.json')).name).toBe(`@trunkline/${name}`);
    expect(read('services', name, 'src/service.ts')).toContain(`name: '${name}'`);
    expect(read('services', name, 'src/storage/database.ts')).toContain(
      `schema: '${name.replaceAll('-', '_')}'`,
    );
    expect(read('packages/embedded/src/services.ts')).toContain(`'@trunkline/${name}'`);
    expect(read('tsconfig.json')).toContain(`"services/${name}"`);
  });

  test('its main says everything in at most 25 lines, its README in at most 40', () => {
    expect(read('services', name, 'src/main.ts').split('\n').length).toBeLessThanOrEqual(25);
    expect(read('services', name, 'README.md').trim().split('\n').length).toBeLessThanOrEqual(40);
  });

  test('its README names every setting, and no setting that does not exist', () => {
    const declared = [...read('services', name, 'src/config.ts').matchAll(/setting\(\s*'([A-Z_]+)'/g)].map(
      ([, variable]) => variable,
    );
    const documented = [...read('services', name, 'README.md').matchAll(/^\| `([A-Z_]+)`/gm)].map(
      ([, variable]) => variable,
    );
    expect(documented.sort()).toEqual(declared.sort());
  });

  test('SQL stands only in storage/', () => {
    const outside = sources('services', name, 'src').filter(
      (file) => !file.includes(`${path.sep}storage${path.sep}`),
    );
    const withSql = outside.filter((file) =>
      /\$(query|execute)Raw|\bdb\.\w+\.(find|create|update|delete|count|upsert)/.test(read(file)),
    );
    expect(withSql).toEqual([]);
  });

  test('the environment is read only through its config', () => {
    expect(sources('services', name, 'src').filter((file) => read(file).includes('process.env'))).toEqual([]);
  });

  test('every pure file that decides something has its test beside it', () => {
    const untested = sources('services', name, 'src/domain')
      .filter((file) => /export function/.test(read(file)))
      .map((file) => path.dirname(file));
    for (const folder of new Set(untested)) {
      const tests = fs.readdirSync(path.join(root, folder)).filter((file) => file.endsWith('.test.ts'));
      expect([folder, tests.length > 0]).toEqual([folder, true]);
    }
  });
});

describe('names', () => {
  test('no file or folder is called utils, helpers, common, base, types or constants', () => {
    const all = [
      ...services.flatMap((name) => sources('services', name)),
      ...packages.flatMap((name) => sources('packages', name)),
    ];
    expect(
      all.filter((file) => /(^|\/)(utils?|helpers?|common|base|types|constants)(\/|\.ts$)/.test(file)),
    ).toEqual([]);
  });

  test('files are kebab-case', () => {
    const all = [
      ...services.flatMap((name) => sources('services', name)),
      ...packages.flatMap((name) => sources('packages', name)),
    ];
    expect(
      all.filter(
        (file) => !/^[a-z0-9]+(-[a-z0-9]+)*(\.(router|schemas|view))?\.ts$/.test(path.basename(file)),
      ),
    ).toEqual([]);
  });
});

describe('packages', () => {
  test('every package is referenced by the root tsconfig', () => {
    const references = read('tsconfig.json');
    for (const name of packages) expect(references).toContain(`"packages/${name}"`);
  });

  test('only packages/rpc speaks NATS, only packages/events Kafka, only packages/outbound-http and the gateway dial by undici', () => {
    const all = [
      ...services.flatMap((name) => sources('services', name, 'src')),
      ...packages.flatMap((name) => sources('packages', name, 'src')),
    ];
    const importing = (library: string) =>
      all
        .filter((file) => read(file).includes(`from '${library}'`))
        .map((file) => file.split(path.sep).slice(0, 2).join('/'));
    expect(new Set(importing('@nats-io/transport-node'))).toEqual(new Set(['packages/rpc']));
    expect(new Set(importing('kafkajs'))).toEqual(new Set(['packages/events']));
    expect(new Set(importing('undici'))).toEqual(new Set(['packages/outbound-http', 'services/gateway']));
  });
});

describe('the error catalogue', () => {
  test('docs/errors.md lists every code with its status, and no other', () => {
    const listed = [...read('docs/errors.md').matchAll(/^\| (\d{3})\s*\| `([A-Z_]+)`/gm)].map(
      ([, status, code]) => `${code} ${status}`,
    );
    const known = Object.entries(ERROR_CODES).map(([code, { kind }]) => `${code} ${statusOf(kind)}`);
    expect(listed.sort()).toEqual(known.sort());
  });
});

describe('the decisions', () => {
  test('every ADR is numbered and listed in ARCHITECTURE.md', () => {
    const adrs = fs.readdirSync(path.join(root, 'docs/adr'));
    const page = read('ARCHITECTURE.md');
    for (const file of adrs) {
      expect(file).toMatch(/^\d{4}-[a-z0-9-]+\.md$/);
      expect(page).toContain(`docs/adr/${file}`);
    }
  });
});
