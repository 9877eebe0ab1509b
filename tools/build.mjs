// Builds what `pnpm start` and the images run: database clients, JavaScript, and the description of all operations.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { generate } from './generate.mjs';

const root = path.resolve(import.meta.dirname, '..');

/** Does only what is not up to date. @param {(step: string) => void} report */
export async function build(report = () => {}) {
  const generated = await generate();
  if (generated.length) report(`generated the database client of ${generated.join(', ')}`);
  const compiler = path.join(root, 'node_modules/@typescript/native/bin/tsc');
  const compiled = spawnSync(process.execPath, [compiler, '-b', root], { stdio: 'inherit' });
  if (compiled.status !== 0) throw new Error('the TypeScript compiler found errors');
  describeApi();
}

/** The gateway of a deployment reads its route table and API document from this file. */
function describeApi() {
  const require = createRequire(path.join(root, 'packages/embedded/package.json'));
  const { describeRoutes } = require('@trunkline/http');
  const { services } = require(path.join(root, 'packages/embedded/dist/services.js'));
  const operations = services.flatMap(({ name, routes }) => describeRoutes(name, routes));
  const file = path.join(root, 'services/gateway/generated/api.json');
  fs.mkdirSync(path.dirname(file), { recursive: true });
  const draft = `${file}.${process.pid}`;
  fs.writeFileSync(draft, JSON.stringify(operations));
  fs.renameSync(draft, file);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await build((step) => console.log(step));
