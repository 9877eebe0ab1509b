import dgram from 'node:dgram';
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAddressPolicy, createHostResolver } from '@trunkline/outbound-http';
import { startTestService, type TestService } from '@trunkline/testing';
import { probeSip } from '../src/adapters/probe-sip.js';
import { sandboxHost } from '../src/adapters/sandbox-prober.js';
import type { Deps } from '../src/deps.js';
import { service } from '../src/service.js';
import { healthOf, insertOne, logOf, makeDue, probeOnce } from './health-fixtures.js';
import { freePort } from './peers/free-port.js';
import { answerTo, startUdpPeer } from './peers/scripted-sip-peer.js';

const start = (environment: Record<string, string>) =>
  startTestService(service, { environment: { HEALTH_CHECK_PERIOD_SECONDS: '3600', ...environment } });

async function probeTwice(carriers: TestService<Deps>, id: string) {
  for (let n = 0; n < 2; n++) {
    await makeDue(carriers.deps.db, [id]);
    await probeOnce(carriers);
  }
  return healthOf(carriers.deps.db, id);
}

describe('in embedded mode', () => {
  let carriers: TestService<Deps>;
  beforeAll(async () => {
    carriers = await start({ HEALTH_DEGRADED_ABOVE_MS: '200', HEALTH_CHECK_TIMEOUT_MS: '600' });
  });
  afterAll(() => carriers.stop());
  const db = () => carriers.deps.db;

  describe('the sandbox', () => {
    test('up.sandbox.invalid is healthy, and fast', async () => {
      const id = await insertOne(db(), { sipHost: 'up.sandbox.invalid' });
      expect((await probeTwice(carriers, id)).status).toBe('healthy');
      expect((await logOf(db(), id))[0]!.responseTimeMs).toBeLessThan(200);
    });

    test('down.sandbox.invalid fails', async () => {
      const id = await insertOne(db(), { sipHost: 'down.sandbox.invalid' });
      expect((await probeTwice(carriers, id)).status).toBe('unhealthy');
      expect(await logOf(db(), id)).toMatchObject([{ errorMessage: 'timeout' }, { errorMessage: 'timeout' }]);
    });

    test('slow.sandbox.invalid takes its time and is degraded', async () => {
      const id = await insertOne(db(), { sipHost: 'SLOW.Sandbox.Invalid.' });
      expect((await probeTwice(carriers, id)).status).toBe('degraded');
      const [{ responseTimeMs } = {}] = await logOf(db(), id);
      expect(responseTimeMs).toBeGreaterThan(390);
      expect(responseTimeMs).toBeLessThan(600);
    });

    test.each([
      ['up.sandbox.invalid', 'up'],
      ['emea.down.sandbox.invalid', 'down'],
      ['slow.sandbox.invalid', 'slow'],
      ['anything.sandbox.invalid', 'up'],
      ['sandbox.invalid', 'up'],
      ['down.sandbox.invalid.example', undefined],
      ['downsandbox.invalid', undefined],
      ['sandbox.example', undefined],
    ])('%s is %s', (host, kind) => expect(sandboxHost(host)).toBe(kind));
  });

  describe('a health_check_url', () => {
    let server: http.Server;
    let status = 200;
    let url: string;
    beforeAll(async () => {
      server = http.createServer((_request, response) => {
        if (status !== 0) response.writeHead(status, { location: '/other' }).end('ok');
      });
      await once(server.listen(0, '127.0.0.1'), 'listening');
      url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/health`;
    });
    afterAll(() => {
      server.closeAllConnections();
      server.close();
    });

    test.each([
      [200, 'healthy', null],
      [204, 'healthy', null],
      [302, 'unhealthy', 'HTTP 302'],
      [503, 'unhealthy', 'HTTP 503'],
      [0, 'unhealthy', 'timeout'],
    ])('that answers %i is %s', async (answer, expected, errorMessage) => {
      status = answer;
      // The SIP host is dead: the URL is asked in its place.
      const id = await insertOne(db(), { sipHost: 'down.sandbox.invalid', healthCheckUrl: url });
      expect((await probeTwice(carriers, id)).status).toBe(expected);
      const [entry] = await logOf(db(), id);
      expect(entry).toMatchObject({ errorMessage });
      if (errorMessage === null) expect(entry!.responseTimeMs).toBeGreaterThanOrEqual(1);
    });

    test('that nobody serves is unhealthy', async () => {
      const healthCheckUrl = `http://127.0.0.1:${await freePort()}/`;
      const id = await insertOne(db(), { healthCheckUrl });
      expect((await probeTwice(carriers, id)).status).toBe('unhealthy');
      expect((await logOf(db(), id))[0]!.errorMessage).toBe('connection refused');
    });
  });

  test.each([
    ['200 OK', 'healthy', null],
    ['404 Not Found', 'healthy', null],
    ['503 Maintenance', 'unhealthy', 'SIP 503 Maintenance'],
    ['408 Request Timeout', 'unhealthy', 'SIP 408 Request Timeout'],
  ])('a peer that answers %s is %s', async (answer, expected, errorMessage) => {
    const peer = await startUdpPeer((request, reply) => reply(answerTo(request, answer)));
    const id = await insertOne(db(), { sipHost: 'localhost', sipPort: peer.port });
    expect((await probeTwice(carriers, id)).status).toBe(expected);
    expect((await logOf(db(), id))[0]).toMatchObject({ errorMessage });
    await peer.close();
  });

  test('a host that does not exist is unhealthy', async () => {
    const id = await insertOne(db(), { sipHost: 'nohost' });
    expect((await probeTwice(carriers, id)).status).toBe('unhealthy');
    expect((await logOf(db(), id))[0]!.errorMessage).toBe('host not found');
  });
});

describe('in live mode', () => {
  let carriers: TestService<Deps>;
  beforeAll(async () => {
    carriers = await start({ TRUNKLINE_MODE: 'live', HEALTH_CHECK_TIMEOUT_MS: '500' });
  });
  afterAll(() => carriers.stop());

  test.each([
    [{ sipHost: '127.0.0.1' }],
    [{ sipHost: 'localhost' }],
    [{ sipHost: '10.0.0.1', transport: 'tcp' }],
    [{ sipHost: '169.254.169.254', sipPort: 80, transport: 'tls' }],
    [{ sipHost: '::ffff:127.0.0.1' }],
    [{ sipHost: null, healthCheckUrl: 'https://127.0.0.1/' }],
    [{ sipHost: null, healthCheckUrl: 'https://169.254.169.254/latest/meta-data' }],
  ])('%p is blocked: nothing is sent, and the log says no more than that', async (fields) => {
    const id = await insertOne(carriers.deps.db, fields);
    expect((await probeTwice(carriers, id)).status).toBe('unhealthy');
    expect((await logOf(carriers.deps.db, id))[0]).toMatchObject({
      status: 'unhealthy',
      errorMessage: 'blocked_address',
    });
  });

  test('a blocked peer receives nothing', async () => {
    const peer = await startUdpPeer((request, reply) => reply(answerTo(request, '200 OK')));
    const id = await insertOne(carriers.deps.db, { sipHost: '127.0.0.1', sipPort: peer.port });
    await probeTwice(carriers, id);
    expect(peer.received).toEqual([]);
    await peer.close();
  });

  test('the sandbox does not exist', async () => {
    const id = await insertOne(carriers.deps.db, { sipHost: 'up.sandbox.invalid' });
    expect((await probeTwice(carriers, id)).status).toBe('unhealthy');
  });
});

describe('a name server', () => {
  const policy = createAddressPolicy({ allowLoopback: true });
  const target = { kind: 'sip', port: 5060, transport: 'udp' } as const;

  test('that stays silent holds up only the carriers behind it', async () => {
    const silent = dgram.createSocket('udp4').bind(0, '127.0.0.1');
    await once(silent, 'listening');
    const resolve = createHostResolver(400, [`127.0.0.1:${silent.address().port}`]);
    const peer = await startUdpPeer((request, reply) => reply(answerTo(request, '200 OK')));
    const options = { timeoutMs: 400, addressPolicy: policy, resolve };
    const startedAt = performance.now();
    const stuck = Array.from({ length: 50 }, (_, n) =>
      probeSip({ ...target, host: `c${n}.example` }, options),
    );
    const other = await probeSip({ ...target, host: 'localhost', port: peer.port }, options);
    expect(other).toMatchObject({ kind: 'alive' });
    expect(performance.now() - startedAt).toBeLessThan(300);
    for (const outcome of await Promise.all(stuck))
      expect(outcome).toEqual({ kind: 'failed', error: 'timeout' });
    expect(performance.now() - startedAt).toBeLessThan(1_000);
    silent.close();
    await peer.close();
  });

  test.each([
    ['answers', '127.0.0.1', { kind: 'alive' }],
    ['names an inner address', '10.0.0.7', { kind: 'failed', error: 'blocked_address' }],
    ['does not know the name', undefined, { kind: 'failed', error: 'host not found' }],
  ])('that %s', async (_what, address, expected) => {
    const server = dgram.createSocket('udp4').bind(0, '127.0.0.1');
    server.on('message', (query, from) => server.send(dnsAnswer(query, address), from.port, from.address));
    await once(server, 'listening');
    const resolve = createHostResolver(1_000, [`127.0.0.1:${server.address().port}`]);
    const peer = await startUdpPeer((request, reply) => reply(answerTo(request, '200 OK')));
    const options = { timeoutMs: 1_000, addressPolicy: policy, resolve };
    expect(
      await probeSip({ ...target, host: 'sip.carrier.example', port: peer.port }, options),
    ).toMatchObject(expected);
    server.close();
    await peer.close();
  });
});

/** The query turned into its answer (RFC 1035 4.1): one A record, or a name error. */
function dnsAnswer(query: Buffer, address: string | undefined): Buffer {
  const endOfName = query.indexOf(0, 12);
  const question = query.subarray(12, endOfName + 5);
  const header = Buffer.from(query.subarray(0, 12));
  header.writeUInt16BE(address === undefined ? 0x8183 : 0x8180, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(address === undefined ? 0 : 1, 6);
  header.writeUInt16BE(0, 8);
  header.writeUInt16BE(0, 10);
  if (address === undefined) return Buffer.concat([header, question]);
  const record = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, ...address.split('.').map(Number)]);
  return Buffer.concat([header, question, record]);
}
