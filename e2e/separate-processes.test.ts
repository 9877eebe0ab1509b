import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import net from 'node:net';
import path from 'node:path';
import { createTestDatabase, eventually, withPrograms, type TestDatabase } from '@trunkline/testing';
import { root } from './platform-process.js';

jest.setTimeout(120_000);

/** Every service as a process of its own, as in a deployment: `node dist/main.js`, NATS between them, live mode. */
withPrograms('nats-server')('services as separate processes over NATS', () => {
  const OPERATOR_TOKEN = randomBytes(24).toString('hex');
  const processes: ChildProcess[] = [];
  const ports: Record<string, number> = {};
  let database: TestDatabase;
  let secrets: Record<string, string>;
  let natsPort: number;

  const start = (name: string, environment: Record<string, string>, args: string[] = []) => {
    const main = path.join(root, 'services', name, 'dist/main.js');
    const child = spawn(process.execPath, [main, ...args], {
      env: {
        PATH: process.env.PATH,
        LOG_LEVEL: 'warn',
        HOST: '127.0.0.1',
        INTERNAL_HOST: '127.0.0.1',
        ...environment,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    processes.push(child);
    return child;
  };
  const exit = (child: ChildProcess) =>
    new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
  const startService = async (name: string, environment: Record<string, string> = {}) => {
    const [port, internalPort] = [await freePort(), await freePort()];
    ports[name] = port;
    ports[`${name}-internal`] = internalPort;
    const child = start(name, {
      ...secrets,
      PORT: String(port),
      INTERNAL_PORT: String(internalPort),
      DRAIN_DELAY_MS: '2000',
      ...environment,
    });
    await eventually(
      async () => expect((await fetch(`http://127.0.0.1:${internalPort}/readyz`)).status).toBe(200),
      20_000,
    );
    return child;
  };

  beforeAll(async () => {
    const built = spawnSync(process.execPath, ['tools/build.mjs'], { cwd: root, encoding: 'utf8' });
    if (built.status !== 0) throw new Error(built.stdout + built.stderr);
    natsPort = await freePort();
    const nats = spawn('nats-server', ['-a', '127.0.0.1', '-p', String(natsPort)], { stdio: 'ignore' });
    processes.push(nats);
    database = await createTestDatabase();
    secrets = {
      DATABASE_URL: database.url,
      NATS_URL: `nats://127.0.0.1:${natsPort}`,
      CALLER_SECRET: randomBytes(32).toString('hex'),
      ENCRYPTION_KEYS: `k1:${randomBytes(32).toString('base64')}`,
    };
    for (const name of ['accounts', 'carriers', 'gateway']) {
      expect(await exit(start(name, { ...secrets, OPERATOR_TOKEN }, ['migrate']))).toBe(0);
    }
    await startService('accounts');
    await startService('carriers');
    ports.operator = await freePort();
    await startService('gateway', {
      OPERATOR_TOKEN,
      OPERATOR_HOST: '127.0.0.1',
      OPERATOR_PORT: String(ports.operator),
      UPSTREAMS: `accounts=http://127.0.0.1:${ports.accounts},carriers=http://127.0.0.1:${ports.carriers}`,
    });
  });
  afterAll(async () => {
    for (const child of processes) child.kill('SIGKILL');
    await database?.drop();
  });

  const operator = async (method: string, to: string, body?: object) => {
    const response = await fetch(`http://127.0.0.1:${ports.operator}/operator/v1/${to}`, {
      method,
      headers: {
        authorization: `Bearer ${OPERATOR_TOKEN}`,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: response.status === 204 ? {} : await recordOf(response) };
  };
  const newKey = async () => {
    const account = (await operator('POST', 'accounts', { name: 'Acme', email: 'ops@acme.example' })).body;
    const key = (await operator('POST', `accounts/${account.id}/keys`)).body;
    const authorization = `Basic ${Buffer.from(`${key.auth_id}:${key.auth_token}`).toString('base64')}`;
    const api = (method: string, to: string, body?: object) =>
      fetch(`http://127.0.0.1:${ports.gateway}/v1/${to}`, {
        method,
        headers: { authorization, ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
      });
    return { account, key, api };
  };

  test('a carrier is brought, routed over and explained', async () => {
    const { key, api } = await newKey();
    const carrier = await recordOf(
      await api('POST', 'carriers', { name: 'One', sip_host: 'carrier.example' }),
    );
    expect((await api('POST', `carriers/${carrier.id}/routes`, { prefix: '+1' })).status).toBe(201);
    await eventually(async () => {
      const { body } = await operator('POST', 'routing/preview', {
        auth_id: key.auth_id,
        to: '+14155550100',
      });
      expect(body.selected).toMatchObject({ carrier_id: carrier.id, decision: 'selected' });
    }, 2_000);
  });

  test('a revoked key and a suspended account are out within a second', async () => {
    const { account, key, api } = await newKey();
    expect((await api('GET', 'carriers')).status).toBe(200);
    await operator('PATCH', `accounts/${account.id}`, { status: 'suspended' });
    await eventually(async () => expect((await api('GET', 'carriers')).status).toBe(403), 1_000);
    await operator('PATCH', `accounts/${account.id}`, { status: 'active' });
    await eventually(async () => expect((await api('GET', 'carriers')).status).toBe(200), 1_000);
    await operator('DELETE', `keys/${key.auth_id}`);
    await eventually(async () => expect((await api('GET', 'carriers')).status).toBe(401), 1_000);
  });

  test('live mode has no sandbox and does not contact loopback addresses', async () => {
    const { api } = await newKey();
    const refused = await api('POST', 'carriers', {
      name: 'x',
      sip_host: 'x.example',
      health_check_url: 'http://127.0.0.1:1/',
    });
    expect(refused.status).toBe(400);
    const carrier = await recordOf(
      await api('POST', 'carriers', { name: 'Loopback', sip_host: '127.0.0.1' }),
    );
    await eventually(async () => {
      const [probe] = (await (await api('GET', `carriers/${carrier.id}/health`)).json()) as Json[];
      expect(probe).toMatchObject({ status: 'unhealthy', error_message: 'blocked_address' });
    });
  });

  test('a service without its secrets refuses to start and names what is missing', async () => {
    const child = start('accounts', { DATABASE_URL: database.url });
    let said = '';
    child.stdout?.on('data', (chunk: Buffer) => (said += chunk.toString()));
    expect(await exit(child)).toBe(1);
    expect(said).toContain('CALLER_SECRET is required');
    expect(said).toContain('ENCRYPTION_KEYS is required');
  });

  test('SIGTERM: not ready first, then every request in flight is answered, then exit code 0', async () => {
    const { api } = await newKey();
    const carriers = processes.find(
      (child) =>
        child.spawnargs.some((arg) => arg.includes('services/carriers/dist')) && child.exitCode === null,
    );
    if (!carriers) throw new Error('the carriers service does not run');
    const asking = Array.from({ length: 20 }, async () => (await api('GET', 'carriers')).status);
    const ended = exit(carriers);
    carriers.kill('SIGTERM');
    await eventually(
      async () =>
        expect((await fetch(`http://127.0.0.1:${ports['carriers-internal']}/readyz`)).status).toBe(503),
      1_000,
    );
    expect(new Set(await Promise.all(asking))).toEqual(new Set([200]));
    expect(await ended).toBe(0);
    const gone = await api('GET', 'carriers');
    expect(gone.status).toBe(503);
    expect(gone.headers.get('retry-after')).toBe('1');
  });
});

type Json = Record<string, string> & { selected?: object };

async function recordOf(response: Response): Promise<Json> {
  return (await response.json()) as Json;
}

async function freePort(): Promise<number> {
  const server = net.createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as net.AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
