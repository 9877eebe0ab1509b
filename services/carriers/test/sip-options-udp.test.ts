import { sendOptions } from '../src/adapters/sip-options.js';
import { freePort } from './peers/free-port.js';
import { answerTo, startUdpPeer, type ScriptedPeer } from './peers/scripted-sip-peer.js';

let peer: ScriptedPeer | undefined;
afterEach(async () => {
  await peer?.close();
  peer = undefined;
});

const probe = (port: number, timeoutMs = 2_000, address = '127.0.0.1') =>
  sendOptions({ address, host: address, port, transport: 'udp', timeoutMs, userAgent: 'test' });

test('a final answer ends the probe with its code and reason', async () => {
  peer = await startUdpPeer((request, reply) => reply(answerTo(request, '404 Not Found')));
  const outcome = await probe(peer.port);
  expect(outcome).toEqual({
    ok: true,
    code: 404,
    reason: 'Not Found',
    responseTimeMs: expect.any(Number) as number,
  });
  expect(outcome.responseTimeMs).toBeLessThan(200);
});

test('over IPv6 the literals are bracketed', async () => {
  peer = await startUdpPeer((request, reply) => reply(answerTo(request, '200 OK')), '::1');
  expect(await probe(peer.port, 2_000, '::1')).toMatchObject({ ok: true, code: 200 });
  expect(peer.received[0]?.text).toMatch(
    /^OPTIONS sip:\[::1\]:\d+ SIP\/2\.0\r\nVia: SIP\/2\.0\/UDP \[::1\]:\d+;/,
  );
});

test('every probe has a branch, tag and Call-ID of its own', async () => {
  peer = await startUdpPeer((request, reply) => reply(answerTo(request, '200 OK')));
  const { port, received } = peer;
  await Promise.all(Array.from({ length: 20 }, () => probe(port)));
  for (const pattern of [
    /branch=(z9hG4bK[0-9a-f]{32});/,
    /tag=([0-9a-f]{16})\r/,
    /Call-ID: ([0-9a-f]{32})\r/,
  ]) {
    expect(new Set(received.map(({ text }) => pattern.exec(text)?.[1])).size).toBe(20);
  }
});

test('an unanswered request is sent again after 500 ms and 1 s, byte for byte', async () => {
  peer = await startUdpPeer((request, reply, count) => {
    if (count === 3) reply(answerTo(request, '200 OK'));
  });
  const outcome = await probe(peer.port);
  expect(outcome).toMatchObject({ ok: true, code: 200 });
  const [first, second, third] = peer.received;
  expect(second!.at - first!.at).toBeGreaterThan(480);
  expect(second!.at - first!.at).toBeLessThan(750);
  expect(third!.at - second!.at).toBeGreaterThan(980);
  expect(third!.at - second!.at).toBeLessThan(1_400);
  expect(second!.text).toBe(first!.text);
  expect(third!.text).toBe(first!.text);
});

test('a provisional answer slows the retransmissions down and does not end the probe', async () => {
  peer = await startUdpPeer((request, reply, count) => {
    if (count > 1) return;
    reply(answerTo(request, '100 Trying'));
    setTimeout(() => reply(answerTo(request, '200 OK')), 1_800);
  });
  const outcome = await probe(peer.port, 3_000);
  expect(outcome).toMatchObject({ ok: true, code: 200 });
  expect(outcome.responseTimeMs).toBeGreaterThan(1_700);
  expect(peer.received).toHaveLength(2); // at 0 and 500 ms; without the 100 there would be one at 1,500 ms
});

test('a provisional answer alone times out', async () => {
  peer = await startUdpPeer((request, reply) => reply(answerTo(request, '100 Trying')));
  expect(await probe(peer.port, 300)).toMatchObject({ ok: false, error: 'timeout', local: false });
});

test.each<[string, (text: string) => string]>([
  ['another branch', (text) => text.replace(/branch=\w+/, 'branch=z9hG4bKother')],
  ['another method', (text) => text.replace('1 OPTIONS', '1 INVITE')],
  ['no Via', (text) => text.replace(/Via:.*\r\n/, '')],
  ['no empty line', (text) => text.slice(0, -2)],
  ['garbage', () => '\u0000\u00ff'.repeat(400)],
  ['nothing', () => ''],
  [
    'a request',
    () => 'OPTIONS sip:a SIP/2.0\r\nVia: SIP/2.0/UDP a;branch=z9hG4bK1\r\nCSeq: 1 OPTIONS\r\n\r\n',
  ],
])('%s before the answer is ignored', async (_what, change) => {
  peer = await startUdpPeer((request, reply) => {
    reply(answerTo(request, '503 Not For You', change));
    setTimeout(() => reply(answerTo(request, '200 OK')), 50);
  });
  expect(await probe(peer.port)).toMatchObject({ ok: true, code: 200 });
});

test('an answer from another port is not heard', async () => {
  const stranger = await startUdpPeer(() => {});
  peer = await startUdpPeer((request) => {
    const clientPort = Number(/Via: [^\r]*:(\d+);/.exec(request)?.[1]);
    stranger.send(answerTo(request, '200 OK'), clientPort);
  });
  const outcome = await probe(peer.port, 300);
  await stranger.close();
  expect(outcome).toMatchObject({ ok: false, error: 'timeout' });
});

test('compact headers and LF line ends in the answer are understood', async () => {
  peer = await startUdpPeer((request, reply) =>
    reply(answerTo(request, '200 OK', (text) => text.replace('Via:', 'v:').replaceAll('\r\n', '\n'))),
  );
  expect(await probe(peer.port)).toMatchObject({ ok: true, code: 200 });
});

test('the first final answer counts, copies of it do nothing', async () => {
  peer = await startUdpPeer((request, reply) => {
    for (const status of ['200 OK', '200 OK', '503 Late']) reply(answerTo(request, status));
  });
  expect(await probe(peer.port)).toMatchObject({ ok: true, code: 200 });
});

test('a silent peer times out on time, and an answer after that changes nothing', async () => {
  let late: (() => void) | undefined;
  peer = await startUdpPeer((request, reply) => (late = () => reply(answerTo(request, '200 OK'))));
  const outcome = await probe(peer.port, 1_000);
  expect(outcome).toMatchObject({ ok: false, error: 'timeout', local: false });
  expect(outcome.responseTimeMs).toBeGreaterThanOrEqual(999);
  expect(outcome.responseTimeMs).toBeLessThan(1_100);
  late?.();
  await new Promise((resolve) => setTimeout(resolve, 50));
});

test('an answer that waited while the process was busy still counts', async () => {
  peer = await startUdpPeer((request, reply) => {
    reply(answerTo(request, '200 OK'));
    const until = performance.now() + 300;
    while (performance.now() < until); // the loop stands still beyond the time-out
  });
  expect(await probe(peer.port, 100)).toMatchObject({ ok: true, code: 200 });
});

test('a port nobody listens on is refused at once', async () => {
  const outcome = await probe(await freePort());
  expect(outcome).toMatchObject({ ok: false, error: 'connection refused', local: false });
  expect(outcome.responseTimeMs).toBeLessThan(200);
});

test.each([
  { address: 'localhost' },
  { address: '' },
  { port: 0 },
  { port: 70_000 },
  { host: 'a\r\nb' },
  { userAgent: 'a\r\nb' },
])('an unusable target %j is an outcome, not an exception', async (change) => {
  const target = {
    address: '127.0.0.1',
    host: 'a',
    port: 5060,
    transport: 'udp' as const,
    userAgent: 'test',
  };
  expect(await sendOptions({ ...target, timeoutMs: 500, ...change })).toMatchObject({ ok: false });
});
