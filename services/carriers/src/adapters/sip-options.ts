import { randomBytes } from 'node:crypto';
import net from 'node:net';
import { buildOptions, type SipTransport } from '../domain/sip/build-options.js';
import { answersOptions, parseResponse } from '../domain/sip/parse-response.js';
import { describeFailure, type ProbeFailure } from './sip-options-failure.js';
import { openStream } from './sip-options-stream.js';
import { openUdp } from './sip-options-udp.js';

export interface OptionsTarget {
  /** The literal IP to dial, already checked by the SSRF guard: nothing is resolved here. */
  address: string;
  /** The carrier's host as configured: for the Request-URI and as the name its certificate must show. */
  host: string;
  port: number;
  transport: SipTransport;
  /** Wall clock for everything: connect, TLS handshake, retransmissions, answer. */
  timeoutMs: number;
  /** PEM certificates to trust in place of Node's own list; TLS only. */
  ca?: string;
  userAgent: string;
}

/** How a probe ended. `responseTimeMs` runs from the call of sendOptions to its end. */
export type OptionsOutcome =
  | { ok: true; code: number; reason: string; responseTimeMs: number }
  | ({ ok: false; responseTimeMs: number } & ProbeFailure);

/** One way to carry the request; opens a socket and returns what closes it. */
export type OpenTransport = (target: OptionsTarget, exchange: Exchange) => CloseTransport;

/** Called once, at the end of the probe; `answered` says whether a final answer was that end. */
export type CloseTransport = (answered: boolean) => void;

export interface Exchange {
  /** The request, once the socket has an address for the Via. */
  request: (localAddress: string, localPort: number) => Buffer;
  /** Every message that comes in; says what it was to this transaction. */
  onMessage: (message: Buffer) => 'ignored' | 'provisional' | 'final';
  onFailure: (failure: ProbeFailure) => void;
}

const openTransport: Record<SipTransport, OpenTransport> = { udp: openUdp, tcp: openStream, tls: openStream };

/**
 * One SIP OPTIONS to a carrier: a non-INVITE client transaction (RFC 3261 17.1.2) that ends with the first final
 * answer, the first transport failure (17.1.4, 18.4) or at `timeoutMs`, which stands in for Timer F. The socket
 * belongs to this probe alone and is closed at its end, so Timer K, which absorbs late copies, is not needed.
 * Never rejects.
 */
export function sendOptions(target: OptionsTarget): Promise<OptionsOutcome> {
  return new Promise((resolve) => {
    const startedAt = performance.now();
    const ids = transactionIds();
    let settled = false;
    let close: CloseTransport = () => {};

    const settle = (
      end: { ok: true; code: number; reason: string } | ({ ok: false } & ProbeFailure),
    ): void => {
      if (settled) return;
      settled = true;
      clearTimeout(timer);
      close(end.ok);
      resolve({ ...end, responseTimeMs: Math.round((performance.now() - startedAt) * 100) / 100 });
    };
    // On a busy event loop timers run before sockets are read: an answer that already waits still counts.
    const timer = setTimeout(
      () => setImmediate(() => settle({ ok: false, error: 'timeout', local: false })),
      target.timeoutMs,
    );

    const exchange: Exchange = {
      request: (localAddress, localPort) =>
        Buffer.from(buildOptions({ ...target, ...ids, localAddress, localPort })),
      onMessage: (message) => {
        const response = parseResponse(message);
        if (!response || !answersOptions(response, ids.branch)) return 'ignored';
        if (response.code < 200) return 'provisional';
        settle({ ok: true, code: response.code, reason: response.reason });
        return 'final';
      },
      onFailure: (failure) => settle({ ok: false, ...failure }),
    };

    try {
      if (net.isIP(target.address) === 0) throw new RangeError('the address is not an IP literal');
      close = openTransport[target.transport](target, exchange);
    } catch (error) {
      settle({ ok: false, ...describeFailure(error, target) });
    }
  });
}

/** Unpredictable, so that nobody off the path can answer for the carrier (RFC 3261 8.1.1.4, 8.1.1.7, 19.3). */
function transactionIds(): { branch: string; tag: string; callId: string } {
  const hex = randomBytes(40).toString('hex');
  return { branch: `z9hG4bK${hex.slice(0, 32)}`, tag: hex.slice(32, 48), callId: hex.slice(48) };
}
