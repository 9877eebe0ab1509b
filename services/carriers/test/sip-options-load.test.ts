import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { withPrograms } from '@trunkline/testing';
import { sendOptions, type OptionsOutcome } from '../src/adapters/sip-options.js';
import { freePort } from './peers/free-port.js';
import { startKamailio, type Kamailio } from './peers/kamailio.js';
import { answerTo, startTcpPeer, startUdpPeer, type ScriptedPeer } from './peers/scripted-sip-peer.js';

const target = { address: '127.0.0.1', host: '127.0.0.1', timeoutMs: 5_000, userAgent: 'test' };
const answered = (outcomes: readonly OptionsOutcome[]): number => outcomes.filter(({ ok }) => ok).length;

/** Sockets and timers that keep this process alive, by kind. */
function openHandles(): Record<string, number> {
  const kinds = process
    .getActiveResourcesInfo()
    .filter((kind) => /UDP|TCP|TLS|Timeout|Immediate|Req/.test(kind));
  return Object.fromEntries(
    [...new Set(kinds)].map((kind) => [kind, kinds.filter((k) => k === kind).length]),
  );
}

/** The state to come back to, once what earlier tests and the start of a peer left has gone. */
async function openHandlesAtRest(): Promise<Record<string, number>> {
  await delay(200);
  return openHandles();
}

/** Connections close some turns of the event loop after their end: waits for it, for two seconds at most. */
async function expectOpenHandles(expected: Record<string, number>): Promise<void> {
  for (let turn = 0; turn < 40; turn++) {
    if (isDeepStrictEqual(openHandles(), expected)) return;
    await delay(50);
  }
  expect(openHandles()).toEqual(expected);
}

const peers: ScriptedPeer[] = [];
afterEach(async () => {
  for (const peer of peers.splice(0)) await peer.close();
});

async function startPeer(transport: 'udp' | 'tcp', answers = true): Promise<ScriptedPeer> {
  const peer = await (transport === 'udp'
    ? startUdpPeer((request, reply) => answers && reply(answerTo(request, '200 OK')))
    : startTcpPeer((request, connection) => answers && connection.write(answerTo(request, '200 OK'))));
  peers.push(peer);
  return peer;
}

test.each(['udp', 'tcp'] as const)(
  '1,000 probes at once over %s leave no socket and no timer',
  async (transport) => {
    const peer = await startPeer(transport);
    const before = await openHandlesAtRest();
    const probes = Array.from({ length: 1_000 }, () =>
      sendOptions({ ...target, transport, port: peer.port }),
    );
    expect(answered(await Promise.all(probes))).toBe(1_000);
    await expectOpenHandles(before);
  },
);

test('1,000 probes that fail or time out leave no socket and no timer', async () => {
  const silentUdp = await startPeer('udp', false);
  const silentTcp = await startPeer('tcp', false);
  const dead = await freePort();
  const before = await openHandlesAtRest();
  const ends = [
    { transport: 'udp', port: silentUdp.port },
    { transport: 'tcp', port: silentTcp.port },
    { transport: 'tls', port: silentTcp.port },
    { transport: 'udp', port: dead },
    { transport: 'tcp', port: dead },
  ] as const;
  const probes = Array.from({ length: 1_000 }, (_, index) =>
    sendOptions({ ...target, timeoutMs: 1_000, ...ends[index % ends.length]! }),
  );
  expect(answered(await Promise.all(probes))).toBe(0);
  await expectOpenHandles(before);
});

withPrograms('kamailio', 'openssl')('against a real Kamailio', () => {
  let kamailio: Kamailio;
  beforeAll(async () => {
    kamailio = await startKamailio();
  });
  afterAll(() => kamailio?.stop());

  test('300 probes at once over TLS leave no socket and no timer', async () => {
    const tlsTarget = { ...target, transport: 'tls' as const, port: kamailio.tlsPort, ca: kamailio.ca };
    const before = await openHandlesAtRest();
    expect(answered(await Promise.all(Array.from({ length: 300 }, () => sendOptions(tlsTarget))))).toBe(300);
    await expectOpenHandles(before);
  });

  test('350 probes a second for two seconds are all answered within the second', async () => {
    const probes: Promise<OptionsOutcome>[] = [];
    for (const startedAt = performance.now(); probes.length < 700; await delay(5)) {
      const due = Math.min(700, Math.floor(((performance.now() - startedAt) * 350) / 1_000));
      while (probes.length < due) {
        probes.push(sendOptions({ ...target, transport: 'udp', port: kamailio.udpPort }));
      }
    }
    const outcomes = await Promise.all(probes);
    expect(answered(outcomes)).toBe(700);
    const times = outcomes.map(({ responseTimeMs }) => responseTimeMs).sort((a, b) => a - b);
    expect(times[Math.floor(times.length * 0.95)]).toBeLessThan(1_000);
  });
});
