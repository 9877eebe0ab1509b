// `pnpm start`: builds what is stale and runs the whole platform in this process, with nothing but Node installed.
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from './build.mjs';

const root = path.resolve(import.meta.dirname, '..');
const began = performance.now();
const progress = (step) => console.log(`  ${step} …`);

console.log('\nTrunkline');
progress('building');
await build();
const { startPlatform } = (
  await import(pathToFileURL(path.join(root, 'packages/embedded/dist/index.js')).href)
).default;

const dataDir = path.resolve(process.env.TRUNKLINE_DATA_DIR || path.join(root, '.data'));
const port = Number(process.env.PORT || 8080);
const operatorPort = Number(process.env.OPERATOR_PORT || 8081);

let platform;
try {
  platform = await startPlatform({
    dataDir,
    port,
    operatorPort,
    environment: process.env,
    onProgress: progress,
  });
} catch (error) {
  console.error(`\nTrunkline did not start: ${error.message}\n`);
  process.exit(1);
}

const { demo, logFile } = platform;
const shown = path.relative(process.cwd(), path.join(dataDir, 'demo.env')) || 'demo.env';
console.log(`
Trunkline is ready after ${((performance.now() - began) / 1000).toFixed(1)} s.

  API        ${demo.TRUNKLINE_URL}        documentation: ${demo.TRUNKLINE_URL}/docs
  Operator   ${demo.TRUNKLINE_OPERATOR_URL}
  Log        ${path.relative(process.cwd(), logFile)}

Demo account (also in ${shown}):

  Auth ID    ${demo.TRUNKLINE_AUTH_ID}
  Auth Token ${demo.TRUNKLINE_AUTH_TOKEN}

Try it, in another terminal:

  source ${shown}
  curl -s -u $TRUNKLINE_AUTH_ID:$TRUNKLINE_AUTH_TOKEN $TRUNKLINE_URL/v1/account/$TRUNKLINE_AUTH_ID/carriers \\
    -H 'Content-Type: application/json' -d '{"name":"My carrier","sip_host":"up.sandbox.invalid"}'

The tour in README.md goes on from here. Stop with Ctrl-C; everything is kept in ${path.relative(process.cwd(), dataDir) || '.'}.
`);

let stopping = false;
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    if (stopping) process.exit(1);
    stopping = true;
    console.log('\nStopping …');
    platform.stop().then(
      () => process.exit(0),
      (error) => {
        console.error(error);
        process.exit(1);
      },
    );
  });
}
