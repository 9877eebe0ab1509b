import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import net from 'node:net';
import Joi from 'joi';
import { defineBroadcast, defineOperation } from '@trunkline/contracts';
import { conflict } from '@trunkline/errors';
import {
  connectNatsTransport,
  createInProcessTransport,
  createRpc,
  type Rpc,
  type RpcTransport,
} from './index.js';

const greet = defineOperation<{ name: string }, { greeting: string }>('test.greet', {
  request: Joi.object({ name: Joi.string().required() }),
  reply: Joi.object({ greeting: Joi.string().required() }),
  timeoutMs: 300,
});
const news = defineBroadcast<{ text: string }>('test.news', Joi.object({ text: Joi.string().required() }));

interface Driver {
  name: string;
  /** Two connected transports: the in-process driver hands out one and the same. */
  start(): Promise<{ a: RpcTransport; b: RpcTransport; stop(): Promise<void> }>;
}

const inProcess: Driver = {
  name: 'in-process',
  async start() {
    const transport = createInProcessTransport();
    return { a: transport, b: transport, stop: () => transport.close() };
  },
};

const nats: Driver = {
  name: 'NATS',
  async start() {
    const { server, port } = await startNatsServer();
    const servers = `nats://127.0.0.1:${port}`;
    const a = await connectNatsTransport({ servers, name: 'a' });
    const b = await connectNatsTransport({ servers, name: 'b' });
    return {
      a,
      b,
      async stop() {
        await Promise.all([a.close(), b.close()]);
        server.kill('SIGKILL');
      },
    };
  },
};

async function freePort(): Promise<number> {
  const probe = net.createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as net.AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

async function startNatsServer(port?: number): Promise<{ server: ChildProcess; port: number }> {
  const chosen = port ?? (await freePort());
  const server = spawn('nats-server', ['-a', '127.0.0.1', '-p', String(chosen)], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  await new Promise<void>((resolve, reject) => {
    server.stderr?.on('data', (line: Buffer) => line.includes('Server is ready') && resolve());
    server.once('exit', () => reject(new Error('nats-server did not start')));
  });
  return { server, port: chosen };
}

const hasNats = spawnSync('nats-server', ['--version']).status === 0;
if (!hasNats && process.env.CI) throw new Error('CI needs nats-server (Debian package nats-server).');
const drivers = hasNats ? [inProcess, nats] : [inProcess];
if (!hasNats) console.warn('skipped: the RPC contract over NATS (nats-server is not installed)');

describe.each(drivers)('RPC over $name', (driver) => {
  let wire: Awaited<ReturnType<Driver['start']>>;
  let client: Rpc;
  let server: Rpc;
  let faults: unknown[];

  beforeEach(async () => {
    wire = await driver.start();
    faults = [];
    client = createRpc(wire.a, { service: 'client' });
    server = createRpc(wire.b, { service: 'server', onFault: (fault) => faults.push(fault) });
  });
  afterEach(() => wire.stop());

  const served = async (
    handler: Parameters<typeof server.serve<{ name: string }, { greeting: string }>>[1],
  ) => {
    server.serve(greet, handler);
    if (driver === nats) await new Promise((resolve) => setTimeout(resolve, 50));
  };

  test('a question gets its answer, and the request id goes along', async () => {
    await served(async ({ name }, { requestId }) => ({ greeting: `${name} ${requestId}` }));
    await expect(client.call(greet, { name: 'Ada' }, { requestId: 'r-1' })).resolves.toEqual({
      greeting: 'Ada r-1',
    });
  });

  test('a refusal arrives with its kind, code and message', async () => {
    await served(async () => {
      throw conflict('CODE_TAKEN', 'taken');
    });
    await expect(client.call(greet, { name: 'x' })).rejects.toMatchObject({
      kind: 'conflict',
      code: 'CODE_TAKEN',
      message: 'taken',
    });
    expect(faults).toEqual([]);
  });

  test('a fault is reported at its place and arrives without its text', async () => {
    await served(async () => {
      throw new Error('password=hunter2');
    });
    const refused = await client.call(greet, { name: 'x' }).catch((error: Error) => error);
    expect(refused).toMatchObject({ code: 'INTERNAL_ERROR' });
    expect(String(refused)).not.toContain('hunter2');
    expect(faults).toHaveLength(1);
  });

  test('nobody there: unavailable at once, not after the time-out', async () => {
    const started = performance.now();
    await expect(client.call(greet, { name: 'x' }, { timeoutMs: 5_000 })).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    });
    expect(performance.now() - started).toBeLessThan(1_000);
  });

  test('no answer in time: unavailable after the time-out', async () => {
    await served(() => new Promise(() => undefined));
    await expect(client.call(greet, { name: 'x' }, { timeoutMs: 100 })).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    });
  });

  test('a request that breaks the contract is a fault of the caller, reported by the server', async () => {
    await served(async () => ({ greeting: 'never' }));
    await expect(client.call(greet, { name: 7 } as never)).rejects.toMatchObject({ code: 'INTERNAL_ERROR' });
    expect(String(faults[0])).toContain('"name" must be a string');
  });

  test('an answer that breaks the contract never reaches the caller', async () => {
    await served(async () => ({ greeting: 7 }) as never);
    await expect(client.call(greet, { name: 'x' })).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });

  test('the breaker opens after silence, fails without asking, and closes when answers come again', async () => {
    let asked = 0;
    let silent = true;
    await served(async () => {
      asked++;
      if (silent) await new Promise(() => undefined);
      return { greeting: 'back' };
    });
    const attempt = () =>
      client.call(greet, { name: 'x' }, { timeoutMs: 20 }).catch((error: { code: string }) => error.code);
    for (let i = 0; i < 8; i++) expect(await attempt()).toBe('SERVICE_UNAVAILABLE');
    expect(asked).toBeLessThan(8);
    silent = false;
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    await expect(client.call(greet, { name: 'x' })).resolves.toEqual({ greeting: 'back' });
  });

  test('refusals never open the breaker', async () => {
    let asked = 0;
    await served(async () => {
      asked++;
      throw conflict('CODE_TAKEN', 'taken');
    });
    for (let i = 0; i < 20; i++) await client.call(greet, { name: 'x' }).catch(() => undefined);
    expect(asked).toBe(20);
  });

  test('a broadcast reaches every listener, and a broken one is a reported fault', async () => {
    const heard: string[] = [];
    server.listen(news, ({ text }) => heard.push(`first ${text}`));
    createRpc(wire.b, { service: 'other' }).listen(news, ({ text }) => heard.push(`second ${text}`));
    if (driver === nats) await new Promise((resolve) => setTimeout(resolve, 50));
    client.broadcast(news, { text: 'hi' });
    client.broadcast(news, { text: 3 } as never);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(heard.sort()).toEqual(['first hi', 'second hi']);
    expect(faults).toHaveLength(1);
  });
});

(hasNats ? test : test.skip)(
  'NATS gone: requests fail fast, readiness turns false, and both recover when it is back',
  async () => {
    const { server, port } = await startNatsServer();
    const transport = await connectNatsTransport({ servers: `nats://127.0.0.1:${port}`, name: 'a' });
    const rpc = createRpc(transport, { service: 'a' });
    rpc.serve(greet, async ({ name }) => ({ greeting: name }));
    expect(rpc.isReady()).toBe(true);
    server.kill('SIGKILL');
    while (rpc.isReady()) await new Promise((resolve) => setTimeout(resolve, 20));
    const started = performance.now();
    await expect(rpc.call(greet, { name: 'x' })).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(performance.now() - started).toBeLessThan(200);
    const again = await startNatsServer(port);
    while (!rpc.isReady()) await new Promise((resolve) => setTimeout(resolve, 20));
    await new Promise((resolve) => setTimeout(resolve, 100));
    await expect(rpc.call(greet, { name: 'x' })).resolves.toEqual({ greeting: 'x' });
    await transport.close();
    again.server.kill('SIGKILL');
  },
);
