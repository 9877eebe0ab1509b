import type { SipTransport } from '../domain/sip/build-options.js';

export interface ProbeFailure {
  /** Short and human: 'timeout', 'connection refused', 'TLS: certificate has expired'. */
  error: string;
  /** True when this machine could not probe (no descriptors, no ports): no verdict on the carrier. */
  local: boolean;
}

const carrierErrors: Record<string, string> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset',
  EPIPE: 'connection closed',
  EHOSTUNREACH: 'host unreachable',
  EHOSTDOWN: 'host unreachable',
  ENETUNREACH: 'network unreachable',
  ETIMEDOUT: 'timeout',
};

const localErrors: Record<string, string> = {
  EMFILE: 'too many open files',
  ENFILE: 'too many open files',
  EADDRNOTAVAIL: 'no local port',
  EADDRINUSE: 'no local port',
  ENOBUFS: 'no buffer space',
  ENOMEM: 'out of memory',
  EACCES: 'not permitted',
  EPERM: 'not permitted',
  EAFNOSUPPORT: 'address family not supported',
};

const MAX_ERROR_CHARACTERS = 120;

/** Puts whatever a socket, the TLS library or a bad target raised into words. */
export function describeFailure(
  thrown: unknown,
  target: { host: string; transport: SipTransport },
): ProbeFailure {
  const error = thrown as { code?: unknown; message?: unknown; reason?: unknown };
  const code = typeof error?.code === 'string' ? error.code : '';
  const carrierError = carrierErrors[code];
  if (carrierError !== undefined) return { error: carrierError, local: false };
  const localError = localErrors[code];
  if (localError !== undefined) return { error: localError, local: true };

  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return { error: short(`TLS: certificate is not for ${target.host}`), local: false };
  }
  // OpenSSL puts its own words into `reason`; in a message they come after "error:0A00010B:SSL routines::".
  const message = typeof error?.message === 'string' ? error.message : String(thrown);
  const words = typeof error?.reason === 'string' ? error.reason : message;
  return { error: short(target.transport === 'tls' ? `TLS: ${words}` : words), local: false };
}

function short(words: string): string {
  const oneLine = words.replace(/\s+/g, ' ').trim();
  return Array.from(oneLine).slice(0, MAX_ERROR_CHARACTERS).join('');
}
