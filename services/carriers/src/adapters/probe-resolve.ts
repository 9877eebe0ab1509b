import dns from 'node:dns/promises';
import type { ResolveHost } from '@trunkline/outbound-http';

/**
 * Looks names up without the thread pool of `dns.lookup`: its four threads wait for as long as a name server stays
 * silent, so a handful of carriers behind such a server would make the probes of all others time out. Names without a
 * dot (`localhost`, of a container network) stand in files and search lists, which only the system reads, and their
 * servers are ours. IPv4 first, as everywhere.
 */
export function createHostResolver(timeoutMs: number, servers?: readonly string[]): ResolveHost {
  const resolver = new dns.Resolver({ timeout: Math.max(1, Math.floor(timeoutMs / 2)), tries: 2 });
  if (servers) resolver.setServers(servers);
  return async (host) => {
    if (!host.includes('.')) return dns.lookup(host, { all: true, verbatim: false });
    const found = await resolver.resolve4(host).catch(emptyWhereNoData);
    if (found.length > 0) return found.map((address) => ({ address, family: 4 }));
    return (await resolver.resolve6(host)).map((address) => ({ address, family: 6 }));
  };
}

/** The name exists, with records of another kind. */
function emptyWhereNoData(error: { code?: unknown }): string[] {
  if (error.code === 'ENODATA') return [];
  throw error;
}
