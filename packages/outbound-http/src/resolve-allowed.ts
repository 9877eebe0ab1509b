import dns from 'node:dns/promises';
import { canonicalAddress, type AddressPolicy } from './address-policy.js';

/** An address to dial, as an IP literal: no further look-up happens between the check and the connection. */
export type ResolvedAddress = { address: string; family: 4 | 6 };

/** Answers every address of a host name, in the order of preference; rejects or answers [] when there is none. */
export type ResolveHost = (host: string) => Promise<readonly { address: string; family: number }[]>;

/** The host is, or resolves to, an address that the policy does not allow. The message does not tell which. */
export class BlockedAddressError extends Error {
  readonly code = 'BLOCKED_ADDRESS';

  constructor(
    readonly host: string,
    /** For the log only: told to a user, it would answer questions about the inner network. */
    readonly address: string,
  ) {
    super(`${host} is not a public address`);
    this.name = 'BlockedAddressError';
  }
}

/** The host name has no address. */
export class DnsError extends Error {
  readonly code = 'DNS';

  constructor(
    readonly host: string,
    cause?: unknown,
  ) {
    super(`${host} could not be resolved`, { cause });
    this.name = 'DnsError';
  }
}

/**
 * Resolves a host name or an IP literal (with or without brackets or a trailing dot) and answers the address to
 * dial. Dial that literal, not the name: a name that changes between two look-ups then cannot matter.
 *
 * Odd spellings (`127.1`, `0x7f000001`) are left to the resolver and judged by what it makes of them. Throws
 * BlockedAddressError when any address of the host is not allowed, DnsError when there is none.
 */
export async function resolveAllowed(
  host: string,
  policy: AddressPolicy,
  options: { resolve?: ResolveHost } = {},
): Promise<ResolvedAddress> {
  const name = canonicalHost(host);
  const literal = canonicalAddress(name);
  const found = literal ? [literal] : await lookUp(name, options.resolve ?? resolveWithSystem);

  const blocked = found.find(({ address }) => !policy.isAllowed(address));
  if (blocked) throw new BlockedAddressError(name, blocked.address);

  const [first] = found;
  const dialled = first && canonicalAddress(first.address);
  if (!dialled) throw new DnsError(name);
  return dialled;
}

/** The host without IPv6 brackets and without the trailing dot of a fully qualified name (also not wanted in SNI). */
export function canonicalHost(host: string): string {
  return host.replace(/\.$/, '').replace(/^\[(.*)\]$/, '$1');
}

async function lookUp(name: string, resolve: ResolveHost): Promise<readonly { address: string }[]> {
  if (name === '') throw new DnsError(name);
  try {
    return await resolve(name);
  } catch (cause) {
    throw new DnsError(name, cause);
  }
}

// IPv4 first: there is no second attempt on the other family, and IPv4 works from every network.
const resolveWithSystem: ResolveHost = (host) => dns.lookup(host, { all: true, verbatim: false });
