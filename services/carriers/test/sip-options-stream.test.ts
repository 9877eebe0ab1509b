import type net from 'node:net';
import tls from 'node:tls';
import { setTimeout as delay } from 'node:timers/promises';
import { withPrograms } from '@trunkline/testing';
import { sendOptions, type OptionsTarget } from '../src/adapters/sip-options.js';
import { makeCertificates } from './peers/certificates.js';
import { freePort } from './peers/free-port.js';
import { answerTo, startTcpPeer, type ScriptedPeer } from './peers/scripted-sip-peer.js';

let peer: ScriptedPeer | undefined;
afterEach(async () => {
  await peer?.close();
  peer = undefined;
});

const probe = (port: number, change: Partial<OptionsTarget> = {}) =>
  sendOptions({
    address: '127.0.0.1',
    host: '127.0.0.1',
    port,
    transport: 'tcp',
    timeoutMs: 2_000,
    userAgent: 'test',
    ...change,
  });
const ok = { ok: true, code: 200, reason: 'OK' };

describe('over TCP', () => {
  test('the request is sent once and the answer ends the probe', async () => {
    peer = await startTcpPeer((request, connection) => {
      setTimeout(() => connection.write(answerTo(request, '200 OK')), 700);
    });
    expect(await probe(peer.port)).toMatchObject(ok);
    expect(peer.received).toHaveLength(1);
    expect(peer.received[0]?.text).toMatch(/^OPTIONS sip:127\.0\.0\.1:\d+;transport=tcp SIP\/2\.0\r\n/);
  });

  test('an answer split into single bytes is put together', async () => {
    peer = await startTcpPeer(async (request, connection) => {
      connection.setNoDelay(true);
      for (const byte of answerTo(request, '200 OK')) {
        connection.write(byte);
        await delay(0);
      }
    });
    expect(await probe(peer.port)).toMatchObject(ok);
  });

  test('keep-alives, garbage, strangers and a provisional answer come before the final one', async () => {
    peer = await startTcpPeer((request, connection) => {
      connection.write('\r\n\r\n');
      connection.write('complete garbage\r\n\r\n');
      connection.write(
        answerTo(request, '486 Stranger', (text) => text.replace(/branch=\w+/, 'branch=z9hG4bKx')),
      );
      connection.write(answerTo(request, '100 Trying') + answerTo(request, '200 OK'));
    });
    expect(await probe(peer.port)).toMatchObject(ok);
  });

  test('an answer with a body counts once the body is there', async () => {
    peer = await startTcpPeer((request, connection) => {
      const answer = answerTo(request, '200 OK', (text) => text.replace('Length: 0', 'Length: 5'));
      connection.write(`${answer}v=`);
      setTimeout(() => connection.write('0\r\n'), 100);
    });
    const outcome = await probe(peer.port);
    expect(outcome).toMatchObject(ok);
    expect(outcome.responseTimeMs).toBeGreaterThan(90);
  });

  test('half an answer and a closed connection is a failure', async () => {
    peer = await startTcpPeer((request, connection) =>
      connection.end(answerTo(request, '200 OK').slice(0, 60)),
    );
    expect(await probe(peer.port)).toMatchObject({ ok: false, error: 'connection closed', local: false });
  });

  test('a reset is a failure', async () => {
    peer = await startTcpPeer((_request, connection) => connection.resetAndDestroy());
    expect(await probe(peer.port)).toMatchObject({ ok: false, error: 'connection reset', local: false });
  });

  test.each<[string, (connection: net.Socket) => void]>([
    ['one endless message', (connection) => connection.write('x'.repeat(70_000))],
    ['a body declared too large', (connection) => connection.write('SIP/2.0 200 OK\r\nl: 65536\r\n\r\n')],
    ['endless small messages', (connection) => connection.write('a\r\n\r\n'.repeat(15_000))],
  ])('%s is given up', async (_what, flood) => {
    peer = await startTcpPeer((_request, connection) => flood(connection));
    const outcome = await probe(peer.port);
    expect(outcome).toMatchObject({ ok: false, error: 'answer too large' });
    expect(outcome.responseTimeMs).toBeLessThan(1_000);
  });

  test('a peer that accepts and says nothing times out on time', async () => {
    peer = await startTcpPeer(() => {});
    const outcome = await probe(peer.port, { timeoutMs: 1_000 });
    expect(outcome).toMatchObject({ ok: false, error: 'timeout' });
    expect(outcome.responseTimeMs).toBeGreaterThanOrEqual(999);
    expect(outcome.responseTimeMs).toBeLessThan(1_100);
  });

  test('a port nobody listens on is refused at once', async () => {
    const outcome = await probe(await freePort());
    expect(outcome).toMatchObject({ ok: false, error: 'connection refused', local: false });
    expect(outcome.responseTimeMs).toBeLessThan(200);
  });

  test.each([
    { port: 70_000 },
    { host: 'a\r\nb' },
    { transport: 'tls' as const, ca: 'no PEM', port: 70_000 },
  ])('an unusable target %j is an outcome, not an exception', async (change) => {
    peer = await startTcpPeer(() => {});
    expect(await probe(peer.port, change)).toMatchObject({ ok: false });
  });
});

withPrograms('openssl')('over TLS', () => {
  const startTlsPeer = async (
    names?: string[],
    days?: number,
  ): Promise<{ ca: string; sni: () => unknown }> => {
    const made = await makeCertificates({ ...(names && { names }), ...(days !== undefined && { days }) });
    let servername: unknown;
    const server = tls.createServer({ cert: made.certificate, key: made.key });
    server.on('secureConnection', (connection) => (servername = connection.servername));
    server.on('tlsClientError', () => {});
    peer = await startTcpPeer((request, connection) => connection.write(answerTo(request, '200 OK')), server);
    return { ca: made.ca, sni: () => servername };
  };
  const probeTls = (change: Partial<OptionsTarget>) => probe(peer!.port, { transport: 'tls', ...change });

  test('a name is sent as SNI and found in the certificate', async () => {
    const { ca, sni } = await startTlsPeer(['DNS:sip.carrier.example']);
    expect(await probeTls({ ca, host: 'sip.carrier.example.' })).toMatchObject(ok);
    expect(sni()).toBe('sip.carrier.example');
    expect(peer?.received[0]?.text).toMatch(/^OPTIONS sip:sip\.carrier\.example:\d+;transport=tls SIP/);
  });

  test('an IP literal is found among the IP names, and is no SNI', async () => {
    const { ca, sni } = await startTlsPeer(['IP:127.0.0.1']);
    expect(await probeTls({ ca })).toMatchObject(ok);
    expect(sni()).toBe(false);
  });

  test.each([
    ['another name', 'sip.carrier.example', ['DNS:other.example', 'IP:127.0.0.1']],
    ['another address', '192.0.2.1', ['DNS:localhost', 'IP:127.0.0.1']],
  ])('a certificate for %s is refused, though it fits the address dialled', async (_what, host, names) => {
    const { ca } = await startTlsPeer(names);
    const error = `TLS: certificate is not for ${host}`;
    expect(await probeTls({ ca, host })).toMatchObject({ ok: false, error, local: false });
    expect(peer?.received).toHaveLength(0);
  });

  test('an expired certificate is refused', async () => {
    const { ca } = await startTlsPeer(undefined, -1);
    expect(await probeTls({ ca })).toMatchObject({ ok: false, error: 'TLS: certificate has expired' });
  });

  test('an authority nobody knows is refused', async () => {
    await startTlsPeer();
    expect(await probeTls({})).toMatchObject({
      ok: false,
      error: 'TLS: unable to verify the first certificate',
    });
  });

  test('a plain TCP peer is named as such', async () => {
    peer = await startTcpPeer((_request, connection) => connection.write('SIP/2.0 400 Bad Request\r\n\r\n'));
    expect(await probeTls({})).toMatchObject({ ok: false, error: 'TLS: wrong version number', local: false });
  });

  test('a handshake that never ends times out on time', async () => {
    peer = await startTcpPeer(() => {});
    const outcome = await probeTls({ timeoutMs: 1_000 });
    expect(outcome).toMatchObject({ ok: false, error: 'timeout' });
    expect(outcome.responseTimeMs).toBeLessThan(1_100);
  });
});
