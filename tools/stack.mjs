// `pnpm stack`: the platform on real PostgreSQL, Kafka and NATS, each service its own process, without containers.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from './build.mjs';
import { fetchKafkaJars } from './kafka-jars.mjs';

const root = path.resolve(import.meta.dirname, '..');
const progress = (step) => console.log(`  ${step} …`);
const needed = { 'nats-server': 'nats-server', java: 'default-jre-headless', mvn: 'maven' };
const missing = Object.keys(needed).filter(
  (program) => spawnSync('sh', ['-c', `command -v ${program}`]).status !== 0,
);

console.log('\nTrunkline, on real brokers');
if (missing.length) {
  console.error(
    `\nInstall first: ${missing.join(', ')} (Debian: apt-get install ${missing.map((program) => needed[program]).join(' ')})\n`,
  );
  process.exit(1);
}

let stack;
try {
  progress('building');
  await build();
  const { startStack } = (
    await import(pathToFileURL(path.join(root, 'packages/embedded/dist/index.js')).href)
  ).default;
  stack = await startStack({
    root,
    dataDir: path.resolve(process.env.TRUNKLINE_DATA_DIR || path.join(root, '.data/stack')),
    kafkaLibs: fetchKafkaJars(progress),
    port: Number(process.env.PORT || 8080),
    operatorPort: Number(process.env.OPERATOR_PORT || 8081),
    onProgress: progress,
  });
} catch (error) {
  console.error(`\nThe stack did not start: ${error.message}\n`);
  process.exit(1);
}

const folder = path.relative(process.cwd(), path.dirname(stack.logs[0]));
console.log(`
Trunkline is ready.

  API        ${stack.demo.TRUNKLINE_URL}        documentation: ${stack.demo.TRUNKLINE_URL}/docs
  Operator   ${stack.demo.TRUNKLINE_OPERATOR_URL}
  Logs       ${folder}/*.log
  Account    ${folder}/demo.env

Stop with Ctrl-C; everything is kept.
`);

let stopping = false;
const stop = async (code) => {
  if (stopping) process.exit(1);
  stopping = true;
  console.log('\nStopping …');
  await stack.stop();
  process.exit(code);
};
process.on('SIGINT', () => stop(0));
process.on('SIGTERM', () => stop(0));
const ended = await stack.broken;
if (!stopping) {
  console.error(`\n${ended} ended; see ${folder}/${ended}.log`);
  await stop(1);
}
