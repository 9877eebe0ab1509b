import fc from 'fast-check';
import type http from 'node:http';
import type net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import zlib from 'node:zlib';
import { startRawReceiver, startReceiver, testCertificate, type Receiver } from '../test/receiver.js';
import { createAddressPolicy } from './address-policy.js';
import { createOutboundHttp, type OutboundHttpOptions, type OutboundRequest } from './outbound-http.js';

const cleanUps: (() => Promise<void>)[] = [];
const policy = createAddressPolicy({ allowLoopback: true });

afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

async function listen(handler: http.RequestListener, scheme: 'http' | 'https' = 'http'): Promise<Receiver> {
  const receiver = await startReceiver({ scheme, handler });
  cleanUps.push(receiver.close);
  return receiver;
}

async function listenRaw(onConnection: (socket: net.Socket) => void): Promise<Receiver> {
  const receiver = await startRawReceiver(onConnection);
  cleanUps.push(receiver.close);
  return receiver;
}

function createClient(options: Partial<OutboundHttpOptions> = {}) {
  const client = createOutboundHttp({ policy, allowHttpOnLoopback: true, ...options });
  cleanUps.push(client.close);
  const send = (url: string, request: Partial<OutboundRequest> = {}) =>
    client.request({ url, method: 'GET', deadlineMs: 5_000, maxBodyBytes: 10_000, ...request });
  return { ...client, send };
}

const at = (receiver: Receiver, path = '/', scheme = 'http') =>
  `${scheme}://127.0.0.1:${receiver.port}${path}`;

function expectDeadline(durationMs: number, deadlineMs: number) {
  expect(durationMs).toBeGreaterThanOrEqual(deadlineMs - 5);
  expect(durationMs).toBeLessThanOrEqual(deadlineMs * 1.1);
}

describe('an answer', () => {
  test('comes back with its status, headers and body', async () => {
    const receiver = await listen((_request, response) => {
      response.writeHead(418, { 'x-kettle': ['a', 'b'] }).end('short and stout');
    });
    expect(await createClient().send(at(receiver))).toEqual({
      ok: true,
      status: 418,
      headers: expect.objectContaining({ 'x-kettle': ['a', 'b'] }),
      body: Buffer.from('short and stout'),
      bodyTruncated: false,
      durationMs: expect.any(Number),
    });
  });

  test('is asked for with our own user agent and encoding, whatever the caller adds', async () => {
    const receiver = await listen((_request, response) => void response.end());
    await createClient().send(at(receiver, '/hook?a=1#fragment'), {
      method: 'POST',
      body: '{"a":1}',
      headers: { 'Content-Type': 'application/json', 'Accept-Encoding': 'gzip', 'User-Agent': 'other' },
    });
    expect(receiver.requests).toEqual([
      {
        url: '/hook?a=1',
        body: '{"a":1}',
        headers: expect.objectContaining({
          host: `127.0.0.1:${receiver.port}`,
          'content-type': 'application/json',
          'content-length': '7',
          'user-agent': 'Trunkline/1.0',
          'accept-encoding': 'identity',
        }),
      },
    ]);
  });

  test('that redirects is an ordinary answer and is not followed', async () => {
    const goal = await listen((_request, response) => void response.end('goal'));
    const receiver = await listen(
      (_request, response) => void response.writeHead(302, { location: at(goal) }).end(),
    );
    const outcome = await createClient().send(at(receiver));
    expect(outcome).toMatchObject({ ok: true, status: 302, headers: { location: at(goal) } });
    expect(goal.connections).toBe(0);
  });

  test('of a second request comes over the connection of the first', async () => {
    const receiver = await listen((_request, response) => void response.end('ok'), 'https');
    const client = createClient({ ca: testCertificate });
    expect(await client.send(at(receiver, '/', 'https'))).toMatchObject({ ok: true });
    // undici frees a connection in the next turn of the event loop.
    await sleep(10);
    expect(await client.send(at(receiver, '/', 'https'))).toMatchObject({ ok: true });
    expect([receiver.requests.length, receiver.connections]).toEqual([2, 1]);
  });

  test('comes over at most connectionsPerOrigin connections at once', async () => {
    const receiver = await listen((_request, response) => void setTimeout(() => response.end('ok'), 20));
    const client = createClient({ connectionsPerOrigin: 2 });
    const outcomes = await Promise.all(Array.from({ length: 6 }, () => client.send(at(receiver))));
    expect(outcomes.every((outcome) => outcome.ok)).toBe(true);
    expect([receiver.requests.length, receiver.connections]).toEqual([6, 2]);
  });
});

describe('the body', () => {
  test('is whole when it has exactly the permitted size', async () => {
    const receiver = await listen((_request, response) => void response.end('x'.repeat(100)));
    expect(await createClient().send(at(receiver), { maxBodyBytes: 100 })).toMatchObject({
      body: Buffer.alloc(100, 'x'),
      bodyTruncated: false,
    });
  });

  test('is cut at the permitted size and the rest is not read', async () => {
    const megabyte = Buffer.alloc(1024 * 1024, 'x');
    let sent = 0;
    let closed: Promise<unknown> | undefined;
    const receiver = await listen((_request, response) => {
      closed = new Promise((resolve) => response.on('close', resolve));
      const push = () => {
        while (sent < 1024 && !response.destroyed && response.write(megabyte)) sent += 1;
      };
      response.on('drain', () => void ((sent += 1), push()));
      push();
    });
    const outcome = await createClient().send(at(receiver), { maxBodyBytes: 1_000 });
    expect(outcome).toMatchObject({ ok: true, status: 200, bodyTruncated: true });
    expect(outcome.ok && outcome.body).toEqual(Buffer.alloc(1_000, 'x'));
    await closed;
    expect(sent).toBeLessThan(64);
  });

  test('is not inflated', async () => {
    const bomb = zlib.gzipSync(Buffer.alloc(50 * 1024 * 1024));
    const receiver = await listen(
      (_request, response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
    );
    const outcome = await createClient().send(at(receiver), { maxBodyBytes: 1_000_000 });
    expect(outcome.ok && outcome.body.equals(bomb)).toBe(true);
  });
});

describe('the deadline', () => {
  const deadlineMs = 800;

  test.each<[string, (socket: net.Socket) => void]>([
    ['that accepts and says nothing', () => {}],
    [
      'that drips its headers',
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\nx-drip: ');
        const timer = setInterval(() => socket.write('x'), 50);
        socket.on('close', () => clearInterval(timer));
      },
    ],
    [
      'that drips its body',
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n');
        const timer = setInterval(() => socket.write('x'), 50);
        socket.on('close', () => clearInterval(timer));
      },
    ],
    [
      'that sends interim answers for ever',
      (socket) => {
        const timer = setInterval(() => socket.write('HTTP/1.1 102 Processing\r\n\r\n'), 50);
        socket.on('close', () => clearInterval(timer));
      },
    ],
  ])('ends an attempt on a peer %s, and its connection', async (_name, onConnection) => {
    let ended: Promise<unknown> | undefined;
    const receiver = await listenRaw((socket) => {
      ended = new Promise((resolve) => socket.on('close', resolve));
      socket.resume();
      onConnection(socket);
    });
    const outcome = await createClient().send(at(receiver), { deadlineMs });
    expect(outcome).toMatchObject({ ok: false, reason: 'timeout' });
    expectDeadline(outcome.durationMs, deadlineMs);
    await ended;
  });

  test('ends an attempt on a peer that drips one byte a second', async () => {
    const receiver = await listen((_request, response) => {
      const timer = setInterval(() => response.write('x'), 1_000);
      response.on('close', () => clearInterval(timer));
    });
    const outcome = await createClient().send(at(receiver), { deadlineMs: 2_500 });
    expect(outcome).toMatchObject({ ok: false, reason: 'timeout' });
    expectDeadline(outcome.durationMs, 2_500);
  });

  test('ends an attempt whose TLS handshake hangs; closing ends the connection', async () => {
    let ended: Promise<unknown> | undefined;
    const receiver = await listenRaw((socket) => {
      ended = new Promise((resolve) => socket.on('close', resolve));
      socket.resume();
    });
    const client = createClient();
    const outcome = await client.send(at(receiver, '/', 'https'), { deadlineMs });
    expect(outcome).toMatchObject({ ok: false, reason: 'timeout' });
    expectDeadline(outcome.durationMs, deadlineMs);
    await client.close();
    await ended;
  });

  test('ends an attempt whose look-up hangs', async () => {
    const client = createClient({ resolve: () => new Promise(() => {}) });
    const outcome = await client.send('https://slow.example/', { deadlineMs });
    expect(outcome).toMatchObject({ ok: false, reason: 'timeout' });
    expectDeadline(outcome.durationMs, deadlineMs);
  });

  test('covers waiting for a connection, and an expired request is never sent', async () => {
    const receiver = await listen((_request, response) => void setTimeout(() => response.end('ok'), 1_200));
    const client = createClient({ connectionsPerOrigin: 1 });
    const first = client.send(at(receiver, '/first'));
    const second = await client.send(at(receiver, '/second'), { deadlineMs });
    expect(second).toMatchObject({ ok: false, reason: 'timeout' });
    expectDeadline(second.durationMs, deadlineMs);
    expect(await first).toMatchObject({ ok: true });
    expect(await client.send(at(receiver, '/third'))).toMatchObject({ ok: true });
    expect(receiver.requests.map(({ url }) => url)).toEqual(['/first', '/third']);
  });
});

describe('a failure is an outcome:', () => {
  test('nobody listens', async () => {
    const receiver = await startReceiver({ scheme: 'http' });
    await receiver.close();
    expect(await createClient().send(at(receiver))).toMatchObject({ ok: false, reason: 'refused' });
  });

  test.each<[string, (socket: net.Socket) => void]>([
    ['reset before the answer', (socket) => socket.once('data', () => socket.resetAndDestroy())],
    ['closed before the answer', (socket) => socket.once('data', () => socket.end())],
    [
      'reset in the body',
      (socket) =>
        socket.once('data', () => {
          socket.write('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf', () => socket.resetAndDestroy());
        }),
    ],
    [
      'closed in the body',
      (socket) => socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf')),
    ],
  ])('the connection is %s', async (_name, onConnection) => {
    const receiver = await listenRaw(onConnection);
    expect(await createClient().send(at(receiver))).toMatchObject({ ok: false, reason: 'reset' });
  });

  test.each([
    ['is not HTTP', 'SSH-2.0-OpenSSH_9.6\r\n'],
    ['has a content length twice', 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nxx'],
    ['has endless headers', `HTTP/1.1 200 OK\r\n${'x-header: 0123456789\r\n'.repeat(10_000)}`],
    ['upgrades unasked', 'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'],
  ])('the answer %s', async (_name, answer) => {
    const receiver = await listenRaw((socket) => socket.once('data', () => socket.write(answer)));
    expect(await createClient().send(at(receiver))).toMatchObject({ ok: false, reason: 'protocol' });
  });

  test('the certificate is not trusted, and the request is not sent', async () => {
    const receiver = await listen((_request, response) => void response.end('ok'), 'https');
    const outcome = await createClient().send(at(receiver, '/', 'https'));
    expect(outcome).toMatchObject({ ok: false, reason: 'tls' });
    expect([receiver.connections, receiver.requests.length]).toEqual([1, 0]);
  });

  test('the peer does not speak TLS', async () => {
    const receiver = await listen((_request, response) => void response.end('ok'));
    const outcome = await createClient().send(at(receiver, '/', 'https'));
    expect(outcome).toMatchObject({ ok: false, reason: 'tls' });
  });

  test('the name has no address', async () => {
    const client = createClient({ resolve: () => Promise.resolve([]) });
    expect(await client.send('https://nowhere.example/')).toMatchObject({ ok: false, reason: 'dns' });
  });

  test.each([
    ['not a URL', 'invalid_url'],
    ['https://user:pass@hooks.example/', 'invalid_url'],
    ['ftp://hooks.example/', 'invalid_url'],
    ['http://8.8.8.8/', 'insecure_url'],
  ])('%s is %s', async (url, reason) => {
    expect(await createClient().send(url)).toMatchObject({ ok: false, reason });
  });
});

test('no URL makes an attempt throw, and none gets past the policy', async () => {
  const client = createClient({
    policy: createAddressPolicy(),
    resolve: () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]),
  });
  const authority = fc.webAuthority({ withPort: true, withUserInfo: true });
  const pathAndQuery = fc.string({ unit: 'binary' });
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('http', 'https'),
      authority,
      pathAndQuery,
      async (scheme, host, path) => {
        const outcome = await client.send(`${scheme}://${host}/${path}`);
        expect(['blocked_address', 'invalid_url']).toContain(!outcome.ok && outcome.reason);
      },
    ),
  );
});

describe('the caller’s own mistakes are thrown:', () => {
  test.each([{ Host: 'other.example' }, { 'x-a': 'b\r\nx-injected: c' }, { 'transfer-encoding': 'chunked' }])(
    'the headers %p',
    async (headers) => {
      const receiver = await listen((_request, response) => void response.end());
      await expect(createClient().send(at(receiver), { headers })).rejects.toThrow();
      expect(receiver.requests).toEqual([]);
    },
  );

  test('a request after closing', async () => {
    const client = createClient();
    await client.close();
    await expect(client.send('https://127.0.0.1/')).rejects.toThrow('closed');
  });
});

test('closing waits for the attempts that run', async () => {
  const receiver = await listen((_request, response) => void setTimeout(() => response.end('late'), 100));
  const client = createClient();
  const outcome = client.send(at(receiver));
  await client.close();
  expect(await outcome).toMatchObject({ ok: true, body: Buffer.from('late') });
});
