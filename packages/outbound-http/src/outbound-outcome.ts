import { BlockedAddressError, DnsError } from './resolve-allowed.js';
import { DeadlineError } from './start-deadline.js';

/**
 * Why an attempt got no answer. `refused` is any failure to reach the port, `reset` a connection that ended before
 * the answer did, `protocol` an answer that is not HTTP.
 */
export type OutboundFailureReason =
  | 'blocked_address'
  | 'timeout'
  | 'dns'
  | 'refused'
  | 'reset'
  | 'tls'
  | 'insecure_url'
  | 'invalid_url'
  | 'protocol';

/** What came of one attempt. Any status is `ok`, a redirect too. Names of headers are lower case; times in milliseconds. */
export type OutboundOutcome =
  | {
      ok: true;
      status: number;
      headers: Record<string, string | string[] | undefined>;
      /** The bytes as sent (never decompressed), at most `maxBodyBytes`. */
      body: Buffer;
      /** The peer sent more than `maxBodyBytes`; the rest was not read. */
      bodyTruncated: boolean;
      durationMs: number;
    }
  | { ok: false; reason: OutboundFailureReason; message: string; durationMs: number };

/** Plain http to an address that is not loopback. */
export class InsecureUrlError extends Error {
  readonly code = 'INSECURE_URL';

  constructor() {
    super('Only https is allowed');
    this.name = 'InsecureUrlError';
  }
}

/** The TLS handshake failed: an untrusted certificate, another name, no common version. */
export class TlsError extends Error {
  readonly code = 'TLS';

  constructor(cause: Error) {
    super(cause.message, { cause });
    this.name = 'TlsError';
  }
}

const REASON_BY_CODE: Readonly<Record<string, OutboundFailureReason>> = {
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  ETIMEDOUT: 'timeout',
  ECONNREFUSED: 'refused',
  EHOSTUNREACH: 'refused',
  EHOSTDOWN: 'refused',
  ENETUNREACH: 'refused',
  ENETDOWN: 'refused',
  EAFNOSUPPORT: 'refused',
  EADDRNOTAVAIL: 'refused',
  EACCES: 'refused',
  EPERM: 'refused',
  ECONNRESET: 'reset',
  ECONNABORTED: 'reset',
  EPIPE: 'reset',
};

/** undici refuses what the caller passed or is closed, or this process is out of something: a defect, not an outcome. */
const OUR_CODES =
  /^(UND_ERR_(INVALID_ARG|NOT_SUPPORTED|CLOSED|DESTROYED)|ERR_INVALID_.*|EMFILE|ENFILE|ENOBUFS|ENOMEM)$/;

/** The reason a transport error code stands for; undefined for a code that TCP does not know. */
export function transportReason(error: unknown): OutboundFailureReason | undefined {
  return REASON_BY_CODE[errorCode(error)];
}

/** Why the attempt failed; undefined when the error is not the peer's doing and has to be thrown. */
export function failureReason(error: unknown): OutboundFailureReason | undefined {
  if (error instanceof DeadlineError) return 'timeout';
  if (error instanceof BlockedAddressError) return 'blocked_address';
  if (error instanceof DnsError) return 'dns';
  if (error instanceof InsecureUrlError) return 'insecure_url';
  if (error instanceof TlsError) return 'tls';
  const code = errorCode(error);
  if (code === '' || OUR_CODES.test(code)) return undefined;
  if (/^(ERR_SSL_|ERR_TLS_|EPROTO$)/.test(code)) return 'tls';
  if (code === 'UND_ERR_SOCKET' && /other side closed/.test(String(error))) return 'reset';
  return transportReason(error) ?? 'protocol';
}

// By its shape: an error of Node's own is not `instanceof Error` inside jest.
function errorCode(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
}
