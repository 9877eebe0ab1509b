// `pnpm test`: database clients first, then jest with the arguments given.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { generate } from './generate.mjs';

const root = path.resolve(import.meta.dirname, '..');
await generate();
const jest = path.join(root, 'node_modules/jest/bin/jest.js');
const run = spawnSync(process.execPath, [jest, ...process.argv.slice(2)], { cwd: root, stdio: 'inherit' });
process.exit(run.status ?? 1);
