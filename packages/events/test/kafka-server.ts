import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { startKafka, type KafkaBroker } from '../../embedded/src/kafka.js';

export type KafkaServer = KafkaBroker;

/** A broker whose data lies in a folder of its own, which `stop` deletes. Needs java and, the first time, mvn. */
export async function startKafkaServer(): Promise<KafkaServer> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'trunkline-kafka-'));
  const ports = { port: await freePort(), controllerPort: await freePort() };
  const broker = await startKafka({ folder, libs: kafkaLibs(), ...ports });
  // A test that fails half-way must not leave a broker behind.
  process.once('exit', () => void broker.kill());
  return {
    ...broker,
    async stop() {
      await broker.kill();
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** CI has fetched the jars before; elsewhere they are fetched where Maven is. */
function kafkaLibs(): string {
  const tool = path.resolve(__dirname, '../../../tools/kafka-jars.mjs');
  const fetched = spawnSync(process.execPath, [tool], { encoding: 'utf8' });
  if (fetched.status !== 0) throw new Error(fetched.stderr);
  return fetched.stdout.trim();
}

async function freePort(): Promise<number> {
  const probe = net.createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as net.AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}
