// `pnpm bench [name …] [--json]`: runs the measurements in bench/, each against its baseline, and says which goals are met.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from './build.mjs';

const root = path.resolve(import.meta.dirname, '..');
const json = process.argv.includes('--json');
const wanted = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const say = (line) => json || console.log(line);

await build();
const database = await startDatabase();
const results = [];
try {
  for (const file of benchFiles()) {
    say(`\nmeasuring ${path.relative(root, file)} …`);
    const result = await (await import(pathToFileURL(file).href)).run();
    results.push(result);
    if (json) continue;
    console.log(`\n${result.name}`);
    console.table(result.rows);
    for (const { goal, measured, met } of result.goals)
      console.log(`  ${met ? 'met   ' : 'MISSED'}  ${goal} (measured ${measured})`);
  }
} finally {
  await database.stop();
}
if (json)
  console.log(
    JSON.stringify({ node: process.version, cpus: os.cpus().map(({ model }) => model), results }, null, 2),
  );
process.exit(0);

function benchFiles() {
  return fs
    .readdirSync(path.join(root, 'bench'), { recursive: true })
    .filter((file) => file.endsWith('.bench.mjs') && !file.includes('node_modules'))
    .filter((file) => !wanted.length || wanted.some((word) => file.includes(word)))
    .map((file) => path.join(root, 'bench', file))
    .sort();
}

async function startDatabase() {
  if (process.env.BENCH_DATABASE_URL) return { stop: async () => undefined };
  const embedded = (await import(pathToFileURL(path.join(root, 'packages/embedded/dist/index.js')).href))
    .default;
  const { applyMigrations } = (
    await import(pathToFileURL(path.join(root, 'packages/database/dist/index.js')).href)
  ).default;
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'trunkline-bench-'));
  fs.chmodSync(dataDir, 0o755);
  const postgres = await embedded.startEmbeddedPostgres({ dataDir: path.join(dataDir, 'postgres') });
  const { eventsDatabase } = (
    await import(pathToFileURL(path.join(root, 'packages/events/dist/index.js')).href)
  ).default;
  for (const database of [eventsDatabase, ...embedded.services.map((service) => service.database)])
    await applyMigrations({ url: postgres.url, schema: database.schema, dir: database.migrationsDir });
  process.env.BENCH_DATABASE_URL = postgres.url;
  return {
    async stop() {
      await postgres.stop();
      fs.rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
