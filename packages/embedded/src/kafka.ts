/** A real Kafka broker (KRaft, one node) from its jars: for `pnpm stack` and for tests. No workspace imports: tests load this file alone. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';

export interface KafkaOptions {
  /** Where its settings and data lie; formatted once. */
  folder: string;
  /** Folder of the jars (tools/kafka-jars.mjs). */
  libs: string;
  port: number;
  controllerPort: number;
}

export interface KafkaBroker {
  /** `127.0.0.1:<port>`; the same after a restart. */
  brokers: string;
  start(): Promise<void>;
  /** SIGKILL: nothing is flushed, nobody is told. */
  kill(): Promise<void>;
  /** SIGTERM: logs are flushed and closed. */
  stop(): Promise<void>;
}

const START_TIMEOUT_MS = 60_000;
const HEAP = ['-Xmx512m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1'];

/** Starts the broker; takes some 5 s. Needs java. */
export async function startKafka({ folder, libs, port, controllerPort }: KafkaOptions): Promise<KafkaBroker> {
  const classPath = path.join(libs, '*');
  const settings = path.join(folder, 'server.properties');
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(settings, properties(folder, port, controllerPort));
  if (!fs.existsSync(path.join(folder, 'data', 'meta.properties'))) format(classPath, settings);

  let child: ChildProcess | undefined;
  const end = async (signal: NodeJS.Signals) => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  };
  const broker: KafkaBroker = {
    brokers: `127.0.0.1:${port}`,
    async start() {
      // Detached: Ctrl-C reaches its owner first, which then stops it in order.
      child = spawn('java', [...HEAP, '-cp', classPath, 'kafka.Kafka', settings], {
        cwd: folder,
        stdio: 'ignore',
        detached: true,
      });
      await untilListening(child, port);
    },
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
  };
  await broker.start();
  return broker;
}

function format(classPath: string, settings: string): void {
  const clusterId = randomBytes(16).toString('base64url');
  const formatted = spawnSync(
    'java',
    ['-cp', classPath, 'kafka.tools.StorageTool', 'format', `--cluster-id=${clusterId}`, '-c', settings],
    { encoding: 'utf8' },
  );
  if (formatted.status !== 0) throw new Error(`Kafka's storage: ${formatted.stdout}${formatted.stderr}`);
}

function properties(folder: string, port: number, controllerPort: number): string {
  return `
process.roles=broker,controller
node.id=1
controller.quorum.voters=1@127.0.0.1:${controllerPort}
listeners=PLAINTEXT://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controllerPort}
advertised.listeners=PLAINTEXT://127.0.0.1:${port}
controller.listener.names=CONTROLLER
log.dirs=${path.join(folder, 'data')}
auto.create.topics.enable=false
offsets.topic.num.partitions=4
offsets.topic.replication.factor=1
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
group.initial.rebalance.delay.ms=0
`;
}

async function untilListening(child: ChildProcess, port: number): Promise<void> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (!(await accepts(port))) {
    if (child.exitCode !== null) throw new Error('Kafka ended at its start.');
    if (Date.now() > deadline) throw new Error(`Kafka did not start within ${START_TIMEOUT_MS} ms.`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1');
    socket.once('error', () => resolve(false));
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
  });
}
