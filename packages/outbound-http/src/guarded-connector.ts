import events from 'node:events';
import net from 'node:net';
import tls from 'node:tls';
import { buildConnector } from 'undici';
import { isLoopbackAddress, type AddressPolicy } from './address-policy.js';
import { InsecureUrlError, TlsError, transportReason } from './outbound-outcome.js';
import { canonicalHost, resolveAllowed, type ResolveHost } from './resolve-allowed.js';

/** A connection nobody waits for any more ends after this many milliseconds, TLS handshake included. */
const CONNECT_TIMEOUT_MS = 10_000;

/**
 * An undici connector that looks the host up itself, checks the addresses and dials the checked literal; the host
 * name is only used for SNI and the certificate. It runs for every new connection, not for a reused one.
 *
 * Errors: BlockedAddressError, DnsError, InsecureUrlError, TlsError, system errors. `closing` ends all its sockets.
 */
export function createGuardedConnector(options: {
  policy: AddressPolicy;
  allowHttpOnLoopback: boolean;
  ca: string | undefined;
  resolve: ResolveHost | undefined;
  closing: AbortSignal;
}): buildConnector.connector {
  const { policy, allowHttpOnLoopback, ca, resolve, closing } = options;
  events.setMaxListeners(0, closing);
  const connect = buildConnector({
    secureContext: tls.createSecureContext(ca === undefined ? {} : { ca: [...tls.rootCertificates, ca] }),
    rejectUnauthorized: true,
    // A resumed session skips the check of the certificate's name, and TLS 1.2 hands sessions out before that check.
    maxCachedSessions: 0,
    timeout: CONNECT_TIMEOUT_MS,
    signal: closing,
  });

  async function checkedTarget(target: buildConnector.Options): Promise<buildConnector.Options> {
    const host = canonicalHost(target.hostname);
    const { address } = await resolveAllowed(host, policy, resolve ? { resolve } : {});
    if (target.protocol !== 'https:' && !(allowHttpOnLoopback && isLoopbackAddress(address))) {
      throw new InsecureUrlError();
    }
    closing.throwIfAborted();
    // RFC 6066 §3: no IP literals in SNI; the certificate is then checked against the address that is dialled.
    return { ...target, host: address, hostname: address, servername: net.isIP(host) ? '' : host };
  }

  return (target, callback) => {
    void checkedTarget(target).then(
      (checked) =>
        connect(checked, (error, socket) => {
          if (error) callback(handshakeError(target.protocol, error), null);
          else callback(null, socket);
        }),
      (error: Error) => callback(error, null),
    );
  };
}

// OpenSSL's certificate errors have no common prefix; while a TLS connection is made, whatever is not TCP's is TLS's.
function handshakeError(protocol: string, error: Error): Error {
  return protocol === 'https:' && transportReason(error) === undefined ? new TlsError(error) : error;
}
