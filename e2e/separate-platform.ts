import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import net from 'node:net';
import path from 'node:path';
import { createTestDatabase, eventually } from '@trunkline/testing';
import { root } from './platform-process.js';

/** Every service as a process of its own, as in a deployment: `node dist/main.js`, NATS between them. */
export interface SeparatePlatform {
  /** Base addresses, by service; `operator` is the gateway's second door. */
  urls: Record<string, string>;
  /** Health and metrics, by service. */
  internalUrls: Record<string, string>;
  operatorToken: string;
  /** The running process of a service. */
  processOf(name: string): ChildProcess;
  /** Starts a process of a service that is not waited for, with only these variables. */
  run(name: string, environment: Record<string, string>, args?: string[]): ChildProcess;
  databaseUrl: string;
  stop(): Promise<void>;
}

export interface SeparateOptions {
  services: readonly string[];
  /** For every process. */
  environment?: Record<string, string>;
}

export async function startSeparatePlatform(options: SeparateOptions): Promise<SeparatePlatform> {
  const built = spawnSync(process.execPath, ['tools/build.mjs'], { cwd: root, encoding: 'utf8' });
  if (built.status !== 0) throw new Error(built.stdout + built.stderr);
  const processes = new Map<string, ChildProcess>();
  const [natsPort, operatorPort] = [await freePort(), await freePort()];
  const nats = spawn('nats-server', ['-a', '127.0.0.1', '-p', String(natsPort)], { stdio: 'ignore' });
  const database = await createTestDatabase();
  const operatorToken = randomBytes(24).toString('hex');
  const common = {
    DATABASE_URL: database.url,
    DATABASE_POOL_SIZE: '5',
    NATS_URL: `nats://127.0.0.1:${natsPort}`,
    CALLER_SECRET: randomBytes(32).toString('hex'),
    ENCRYPTION_KEYS: `k1:${randomBytes(32).toString('base64')}`,
    OPERATOR_TOKEN: operatorToken,
    OPERATOR_HOST: '127.0.0.1',
    OPERATOR_PORT: String(operatorPort),
    DRAIN_DELAY_MS: '2000',
    ...options.environment,
  };
  const urls: Record<string, string> = { operator: `http://127.0.0.1:${operatorPort}` };
  const internalUrls: Record<string, string> = {};

  const run = (name: string, environment: Record<string, string>, args: string[] = []) =>
    spawn(process.execPath, [path.join(root, 'services', name, 'dist/main.js'), ...args], {
      env: {
        PATH: process.env.PATH,
        LOG_LEVEL: 'warn',
        HOST: '127.0.0.1',
        INTERNAL_HOST: '127.0.0.1',
        ...environment,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
  const start = async (name: string) => {
    const [port, internalPort] = [await freePort(), await freePort()];
    urls[name] = `http://127.0.0.1:${port}`;
    internalUrls[name] = `http://127.0.0.1:${internalPort}`;
    const upstreams = options.services.map((service) => `${service}=${urls[service] ?? ''}`).join(',');
    const child = run(name, {
      ...common,
      PORT: String(port),
      INTERNAL_PORT: String(internalPort),
      UPSTREAMS: upstreams,
    });
    child.stdout?.resume();
    processes.set(name, child);
    await eventually(
      async () => expect((await fetch(`${internalUrls[name]}/readyz`)).status).toBe(200),
      30_000,
    );
  };

  const platform: SeparatePlatform = {
    urls,
    internalUrls,
    operatorToken,
    run,
    databaseUrl: database.url,
    processOf(name) {
      const child = processes.get(name);
      if (!child) throw new Error(`${name} does not run`);
      return child;
    },
    async stop() {
      for (const child of [...processes.values(), nats]) child.kill('SIGKILL');
      await database.drop();
    },
  };
  try {
    for (const name of [...options.services, 'gateway']) {
      expect(await exitOf(run(name, common, ['migrate']))).toBe(0);
    }
    await Promise.all(options.services.map(start));
    await start('gateway');
    return platform;
  } catch (error) {
    await platform.stop();
    throw error;
  }
}

export function exitOf(child: ChildProcess): Promise<number | null> {
  child.stdout?.resume();
  return new Promise((resolve) => child.once('exit', (code) => resolve(code)));
}

async function freePort(): Promise<number> {
  const server = net.createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as net.AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
