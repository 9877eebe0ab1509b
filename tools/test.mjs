// `pnpm test [paths and options of jest]`: what the tests need first, then jest.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { build } from './build.mjs';
import { generate } from './generate.mjs';

const root = path.resolve(import.meta.dirname, '..');
const paths = process.argv.slice(2).filter((word) => !word.startsWith('-'));

// Tests run from source; only those that start the platform as a process need it built, once and before they run side by side.
if (!paths.length || paths.some((word) => word.includes('e2e'))) await build();
else await generate();

const jest = path.join(root, 'node_modules/jest/bin/jest.js');
const run = spawnSync(process.execPath, [jest, ...process.argv.slice(2)], { cwd: root, stdio: 'inherit' });
process.exit(run.status ?? 1);
