import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import type { Environment } from '@trunkline/service';
import { ensureDemoAccount, type DemoAccount } from './demo-account.js';
import { startKafka } from './kafka.js';
import { startEmbeddedPostgres } from './postgres.js';
import { loadSecrets } from './secrets-file.js';
import { backends, services } from './services.js';

export interface StackOptions {
  /** The repository. */
  root: string;
  dataDir: string;
  /** Folder of Kafka's jars (tools/kafka-jars.mjs). */
  kafkaLibs: string;
  port: number;
  operatorPort: number;
  onProgress?: (step: string) => void;
}

export interface Stack {
  demo: DemoAccount;
  /** Log of each process, in `dataDir`. */
  logs: string[];
  /** Resolves with the name of a process that ended by itself. */
  broken: Promise<string>;
  stop(): Promise<void>;
}

const READY_TIMEOUT_MS = 60_000;

/**
 * The platform as a deployment runs it, on this machine and without containers: PostgreSQL, Kafka and NATS, each service its own
 * process. The sandbox stays open, so that everything can be tried.
 */
export async function startStack(options: StackOptions): Promise<Stack> {
  const { root, dataDir, onProgress = () => undefined } = options;
  fs.mkdirSync(dataDir, { recursive: true });
  const stopLater: (() => Promise<unknown>)[] = [];
  const stop = async () => {
    for (const step of stopLater.splice(0)) await step();
  };
  const logs: string[] = [];
  let breakDown: (name: string) => void = () => undefined;
  const broken = new Promise<string>((resolve) => (breakDown = resolve));
  const run = (name: string, command: string, args: string[], env: Environment = {}) => {
    const log = path.join(dataDir, `${name}.log`);
    const output = fs.openSync(log, 'a', 0o600);
    // Detached: Ctrl-C reaches this process first, which then stops them in order.
    const child = spawn(command, args, {
      env: { PATH: process.env.PATH, ...env },
      stdio: ['ignore', output, output],
      detached: true,
    });
    fs.closeSync(output);
    logs.push(log);
    child.once('error', () => breakDown(name));
    child.once('exit', () => breakDown(name));
    stopLater.unshift(() => endProcess(child));
    return child;
  };

  try {
    onProgress('starting PostgreSQL, NATS and Kafka');
    const postgres = await startEmbeddedPostgres({ dataDir: path.join(dataDir, 'postgres') });
    stopLater.unshift(() => postgres.stop());
    const ports = await freePorts(3 + 2 * services.length);
    const [natsPort = 0, kafkaPort = 0, controllerPort = 0, ...servicePorts] = ports;
    run('nats', 'nats-server', ['-a', '127.0.0.1', '-p', String(natsPort)]);
    const folder = path.join(dataDir, 'kafka');
    const kafka = await startKafka({ folder, libs: options.kafkaLibs, port: kafkaPort, controllerPort });
    stopLater.unshift(() => kafka.stop());

    const addresses = new Map(
      services.map(({ name }, i) => [
        name,
        { port: servicePorts[2 * i] ?? 0, internalPort: servicePorts[2 * i + 1] ?? 0 },
      ]),
    );
    const common: Environment = {
      ...loadSecrets(dataDir),
      TRUNKLINE_MODE: 'embedded',
      DATABASE_URL: postgres.url,
      NATS_URL: `nats://127.0.0.1:${natsPort}`,
      KAFKA_BROKERS: kafka.brokers,
      HOST: '127.0.0.1',
      INTERNAL_HOST: '127.0.0.1',
      OPERATOR_HOST: '127.0.0.1',
      OPERATOR_PORT: String(options.operatorPort),
      PUBLIC_URL: `http://127.0.0.1:${options.port}`,
      DRAIN_DELAY_MS: '200',
      UPSTREAMS: backends
        .map(({ name }) => `${name}=http://127.0.0.1:${addresses.get(name)?.port}`)
        .join(','),
    };
    const main = (name: string) => path.join(root, 'services', name, 'dist/main.js');

    onProgress('migrating');
    for (const { name } of services) {
      const migrated = spawnSync(process.execPath, [main(name), 'migrate'], {
        env: { ...common },
        encoding: 'utf8',
      });
      if (migrated.status !== 0)
        throw new Error(`${name} could not be migrated:\n${migrated.stdout}${migrated.stderr}`);
    }

    onProgress(`starting ${services.length} services`);
    for (const { name } of services) {
      const { port, internalPort } = addresses.get(name) ?? { port: 0, internalPort: 0 };
      const listens = name === 'gateway' ? options.port : port;
      run(name, process.execPath, [main(name)], {
        ...common,
        PORT: String(listens),
        INTERNAL_PORT: String(internalPort),
      });
    }
    await Promise.all(
      [...addresses].map(([name, { internalPort }]) => untilReady(name, internalPort, broken)),
    );
    const demo = await ensureDemoAccount(dataDir, {
      url: `http://127.0.0.1:${options.port}`,
      operatorUrl: `http://127.0.0.1:${options.operatorPort}`,
      operatorToken: common.OPERATOR_TOKEN ?? '',
    });
    return { demo, logs, broken, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function untilReady(name: string, internalPort: number, broken: Promise<string>): Promise<void> {
  let ended: string | undefined;
  void broken.then((which) => (ended = which));
  for (const deadline = Date.now() + READY_TIMEOUT_MS; Date.now() < deadline;) {
    if (ended) throw new Error(`${ended} ended at its start; its log says why`);
    const ready = await fetch(`http://127.0.0.1:${internalPort}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (ready) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`${name} is not ready after ${READY_TIMEOUT_MS / 1_000} s; its log says why`);
}

async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  child.removeAllListeners('exit');
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  const late = setTimeout(() => child.kill('SIGKILL'), 15_000);
  await exited;
  clearTimeout(late);
}

/** All at once, so that none is given out twice. */
async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => net.createServer());
  await Promise.all(
    servers.map((server) => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))),
  );
  const ports = servers.map((server) => (server.address() as net.AddressInfo).port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}
