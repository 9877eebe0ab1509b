import type { ServerResponse } from 'node:http';
import { createServer } from 'node:net';
import {
  accept,
  deliverAll,
  delivery,
  empty,
  shift,
  startDispatcher,
  told,
  type Dispatcher,
} from './fixtures.js';
import { startRawReceiver, startReceiver, type Receiver } from './receiver.js';

let dispatcher: Dispatcher;
let receiver: Receiver;
beforeAll(async () => {
  dispatcher = await startDispatcher();
  receiver = await startReceiver();
});
afterAll(async () => {
  await dispatcher.stop();
  await receiver.close();
});
const db = () => dispatcher.deps.db;
beforeEach(async () => {
  await empty(db());
  receiver.requests.length = 0;
});

const seconds = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / 1_000;

test('retries come after 1, 4, 16, 64 and 256 seconds, not before, and then the delivery has failed', async () => {
  receiver.answer(503);
  const given = delivery({ url: receiver.url, max_retries: 10 });
  await accept(dispatcher, [given]);
  expect(await deliverAll(dispatcher)).toBe(1);
  for (const wait of [1, 4, 16, 64, 256]) {
    await shift(db(), wait * 0.9 - 0.5);
    expect(await deliverAll(dispatcher)).toBe(0);
    await shift(db(), wait * 0.2 + 0.5);
    expect(await deliverAll(dispatcher)).toBe(1);
  }
  await shift(db(), 100_000);
  expect(await deliverAll(dispatcher)).toBe(0);

  const attempts = await told(db());
  expect(attempts.map(({ attempt, outcome }) => `${attempt} ${outcome}`)).toEqual([
    '1 retrying',
    '2 retrying',
    '3 retrying',
    '4 retrying',
    '5 retrying',
    '6 failed',
  ]);
  for (const [n, { attempted_at, next_attempt_at, error, response_status }] of attempts.entries()) {
    expect([error, response_status]).toEqual(['HTTP 503', 503]);
    if (n === 5) expect(next_attempt_at).toBeNull();
    else expect(Math.abs(seconds(attempted_at, next_attempt_at!) - 4 ** n)).toBeLessThan(4 ** n * 0.1 + 0.3);
  }
  expect(new Set(receiver.requests.map(({ headers }) => headers['x-service-delivery']))).toEqual(
    new Set([given.delivery_id]),
  );
  expect(new Set(receiver.requests.map(({ body }) => body.toString())).size).toBe(1);
  expect(await db().delivery.count()).toBe(0);
});

test('max_retries 0 means one attempt, 2 means three', async () => {
  receiver.answer(500);
  for (const max_retries of [0, 2]) {
    const given = delivery({ url: receiver.url, max_retries });
    await accept(dispatcher, [given]);
    for (let n = 0; n < 5; n++) {
      await deliverAll(dispatcher);
      await shift(db(), 300);
    }
    const attempts = await told(db(), given.delivery_id);
    expect(attempts).toHaveLength(max_retries + 1);
    expect(attempts.at(-1)!.outcome).toBe('failed');
  }
});

test('each attempt is signed for its own moment, and a success ends it', async () => {
  receiver.answer(500);
  const given = delivery({ url: receiver.url });
  await accept(dispatcher, [given]);
  await deliverAll(dispatcher);
  await shift(db(), 1.2);
  receiver.answer(204);
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  await deliverAll(dispatcher);
  await shift(db(), 1_000);
  expect(await deliverAll(dispatcher)).toBe(0);
  const times = receiver.requests.map(({ headers }) => Number(headers['x-service-timestamp']));
  expect(times[1]).toBeGreaterThan(times[0]!);
  expect((await told(db())).map(({ outcome }) => outcome)).toEqual(['retrying', 'delivered']);
});

/** One attempt, with its own time-out, and what was told of it. */
async function attempt(url: string, timeout_ms = 5_000) {
  await empty(db());
  const given = delivery({ url, timeout_ms });
  await accept(dispatcher, [given]);
  const startedAt = performance.now();
  await dispatcher.pass('deliver');
  await dispatcher.deps.attempts.settled();
  const tookMs = performance.now() - startedAt;
  const [only, ...more] = await told(db(), given.delivery_id);
  expect(more).toEqual([]);
  return { ...only!, tookMs };
}

test.each([301, 302, 307, 400, 404, 410, 429, 500])(
  'a %d fails the attempt and is not followed',
  async (status) => {
    receiver.answer((_request, response) => {
      response.writeHead(status, { location: `${receiver.url}/elsewhere` }).end();
    });
    expect(await attempt(receiver.url)).toMatchObject({
      outcome: 'retrying',
      error: `HTTP ${status}`,
      response_status: status,
    });
    expect(receiver.requests.map(({ url }) => url)).toEqual(['/hook']);
  },
);

test('refused, reset, not HTTP, no such name: each a failed attempt with its reason', async () => {
  const closed = createServer();
  const port = await new Promise<number>((resolve) =>
    closed.listen(0, '127.0.0.1', () => resolve((closed.address() as { port: number }).port)),
  );
  await new Promise((resolve) => closed.close(resolve));
  const resetting = await startRawReceiver(
    (socket) => void socket.once('data', () => socket.resetAndDestroy()),
  );
  const babbling = await startRawReceiver(
    (socket) => void socket.once('data', () => socket.end('220 hello\r\n')),
  );
  const outcomes = {
    refused: await attempt(`http://127.0.0.1:${port}/`),
    reset: await attempt(resetting.url),
    protocol: await attempt(babbling.url),
    dns: await attempt('https://no-such-name.invalid/'),
  };
  for (const [error, told] of Object.entries(outcomes))
    expect(told).toMatchObject({ outcome: 'retrying', error, response_status: null });
  await Promise.all([resetting.close(), babbling.close()]);
});

test('TLS that nobody can trust and TLS that is none fail the attempt', async () => {
  const selfSigned = await startReceiver(200, 'https');
  const plain = await startRawReceiver(
    (socket) => void socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\n\r\n')),
    'https',
  );
  for (const { url } of [selfSigned, plain])
    expect(await attempt(url)).toMatchObject({ outcome: 'retrying', error: 'tls' });
  expect(selfSigned.requests).toEqual([]);
  await Promise.all([selfSigned.close(), plain.close()]);
});

test('a blocked address fails the delivery at once, and nothing is ever dialled', async () => {
  for (const host of ['10.0.0.1', '169.254.169.254', '[fd00::1]', '[::ffff:192.168.1.1]']) {
    expect(await attempt(`https://${host}/`)).toMatchObject({
      outcome: 'failed',
      error: 'blocked_address',
      next_attempt_at: null,
    });
  }
});

describe('the attempt ends within timeout_ms and a tenth', () => {
  const TIMEOUT_MS = 1_000;

  test.each([
    ['hangs', () => undefined],
    [
      'is silent after the headers',
      (_: unknown, response: ServerResponse) => void response.writeHead(200).write('x'),
    ],
    [
      'drips a byte at a time',
      (_: unknown, response: ServerResponse) => {
        response.writeHead(200);
        const timer = setInterval(() => response.write('.'), 100);
        response.on('close', () => clearInterval(timer));
      },
    ],
  ])('of a receiver that %s', async (_name, answer) => {
    receiver.answer(answer);
    const { error, outcome, duration_ms, tookMs } = await attempt(receiver.url, TIMEOUT_MS);
    expect([error, outcome]).toEqual(['timeout', 'retrying']);
    expect(duration_ms).toBeGreaterThanOrEqual(TIMEOUT_MS - 1);
    expect(duration_ms).toBeLessThanOrEqual(TIMEOUT_MS * 1.1);
    expect(tookMs).toBeLessThan(TIMEOUT_MS * 1.5);
  });

  test('also of one that drips its headers, and of one that never answers the handshake', async () => {
    const dripping = await startRawReceiver((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      const timer = setInterval(() => socket.write('x'), 100);
      socket.on('close', () => clearInterval(timer));
    });
    const mute = await startRawReceiver(() => undefined, 'https');
    for (const { url } of [dripping, mute]) {
      const { error, duration_ms } = await attempt(url, TIMEOUT_MS);
      expect(error).toBe('timeout');
      expect(duration_ms).toBeLessThanOrEqual(TIMEOUT_MS * 1.1);
    }
    await Promise.all([dripping.close(), mute.close()]);
  });

  test('an answer of a gigabyte and a gzip bomb are cut: the status counts, memory stays flat', async () => {
    const chunk = Buffer.alloc(65_536);
    let sent = 0;
    receiver.answer((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': String(1_073_741_824) });
      const more = () => {
        while (!response.destroyed && sent < 1_073_741_824) {
          sent += chunk.length;
          if (!response.write(chunk)) return void response.once('drain', more);
        }
      };
      more();
    });
    const before = process.memoryUsage.rss();
    const { outcome, response_excerpt, tookMs } = await attempt(receiver.url, TIMEOUT_MS);
    expect(outcome).toBe('delivered');
    expect(response_excerpt ?? '').toBe('');
    expect(tookMs).toBeLessThan(TIMEOUT_MS * 1.1);
    expect(sent).toBeLessThan(64 * 1_048_576);
    expect(process.memoryUsage.rss() - before).toBeLessThan(128 * 1_048_576);
  });
});
