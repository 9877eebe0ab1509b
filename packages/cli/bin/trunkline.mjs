#!/usr/bin/env -S node --
// The two dashes keep Node.js from looking at the `--env-file` that follows.
import fs from 'node:fs';

const main = new URL('../dist/main.js', import.meta.url);

// `trunkline … | head` closes the pipe early: that is no failure.
process.stdout.on('error', (error) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
});

if (fs.existsSync(main)) {
  const { run } = (await import(main)).default;
  process.exitCode = await run(process.argv.slice(2), process);
} else {
  console.error('trunkline is not built: run "pnpm build"');
  process.exitCode = 1;
}
