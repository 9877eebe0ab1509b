import net from 'node:net';
import tls from 'node:tls';
import { bareHost } from '../domain/sip/build-options.js';
import { MAX_MESSAGE_BYTES, splitStream } from '../domain/sip/split-stream.js';
import type { CloseTransport, Exchange, OptionsTarget } from './sip-options.js';
import { describeFailure } from './sip-options-failure.js';

/**
 * The exchange over TCP or TLS: a connection of its own, the request sent once (RFC 3261 17.1.2.2: no Timer E on a
 * reliable transport), the answer cut out of the stream by its Content-Length.
 */
export function openStream(target: OptionsTarget, exchange: Exchange): CloseTransport {
  const socket = target.transport === 'tls' ? connectTls(target) : connectTcp(target);
  const fail = (error: unknown): void => exchange.onFailure(describeFailure(error, target));
  let answered = false;
  let receivedBytes = 0;
  let rest: Buffer = Buffer.alloc(0);

  socket.once(target.transport === 'tls' ? 'secureConnect' : 'connect', () => {
    try {
      socket.write(exchange.request(socket.localAddress ?? '', socket.localPort ?? 0));
    } catch (unusable) {
      fail(unusable);
    }
  });
  socket.on('data', (chunk: Buffer) => {
    if (answered) return;
    receivedBytes += chunk.length;
    const split = splitStream(Buffer.concat([rest, chunk]));
    rest = split.rest;
    answered = split.messages.some((message) => exchange.onMessage(message) === 'final');
    // The cap holds for the connection too: a peer that only talks is not read for the whole time-out.
    if (!answered && (split.tooLarge || receivedBytes > MAX_MESSAGE_BYTES)) {
      exchange.onFailure({ error: 'answer too large', local: false });
    }
  });
  socket.on('error', fail);
  socket.on('close', () => exchange.onFailure({ error: 'connection closed', local: false }));

  // After an answer the peer gets a proper end (TLS: close_notify, RFC 8446 6.1), not a line in its error log.
  return (wasAnswered) => (wasAnswered ? socket.destroySoon() : socket.destroy());
}

function connectTcp({ address, port }: OptionsTarget): net.Socket {
  return net.connect({ host: address, port, noDelay: true });
}

/**
 * The certificate must be valid for the host as configured, not for the address dialled (RFC 5922 7.3); a host
 * that is an IP literal needs an IP entry among its subject alternative names. SNI takes names only (RFC 6066 3).
 */
function connectTls({ address, host, port, ca }: OptionsTarget): tls.TLSSocket {
  const name = bareHost(host);
  return tls.connect({
    host: address,
    port,
    ...(net.isIP(name) === 0 && { servername: name }),
    secureContext: trustContext(ca),
    rejectUnauthorized: true,
    checkServerIdentity: (_dialled, certificate) => tls.checkServerIdentity(name, certificate),
  });
}

let trusted: { ca: string | undefined; context: tls.SecureContext } | undefined;

/** Reading certificates takes milliseconds: the context of the last `ca` is kept, and a process has one. */
function trustContext(ca: string | undefined): tls.SecureContext {
  if (trusted?.ca !== ca || !trusted) {
    trusted = { ca, context: tls.createSecureContext(ca === undefined ? {} : { ca }) };
  }
  return trusted.context;
}
