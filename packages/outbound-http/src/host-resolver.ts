import dns from 'node:dns/promises';
import type { ResolveHost } from './resolve-allowed.js';

/**
 * Looks names up without the thread pool of `dns.lookup`: its four threads wait for as long as a name server stays silent, so a
 * handful of names behind such a server would make everybody else's look-ups time out. Names that only the system knows (no dot,
 * files, search lists) are asked of the system, once the name servers have said that they do not know them. IPv4 first.
 * @param timeoutMs for the whole look-up, two tries
 */
export function createHostResolver(timeoutMs: number, servers?: readonly string[]): ResolveHost {
  const resolver = new dns.Resolver({ timeout: Math.max(1, Math.floor(timeoutMs / 2)), tries: 2 });
  if (servers) resolver.setServers(servers);
  const askSystem: ResolveHost = (host) => dns.lookup(host, { all: true, verbatim: false });
  return async (host) => {
    if (!host.includes('.')) return askSystem(host);
    try {
      const found = await resolver.resolve4(host).catch(emptyWhereNoData);
      if (found.length > 0) return found.map((address) => ({ address, family: 4 }));
      return (await resolver.resolve6(host)).map((address) => ({ address, family: 6 }));
    } catch (error) {
      if (hasCode(error, 'ENOTFOUND')) return askSystem(host);
      throw error;
    }
  };
}

/** The name exists, with records of another kind. */
function emptyWhereNoData(error: unknown): string[] {
  if (hasCode(error, 'ENODATA')) return [];
  throw error;
}

function hasCode(error: unknown, code: string): boolean {
  return (error as { code?: unknown }).code === code;
}
