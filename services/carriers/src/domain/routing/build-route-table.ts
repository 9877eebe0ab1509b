import { countStems, END, placeOf } from './prefix-key.js';
import { rankRoutes } from './ranked-routes.js';
import {
  MAX_CARRIERS,
  MAX_ROUTES_OF_PREFIX,
  NO_NODE,
  ROOT,
  writeNode,
  writeRoute,
  type RouteTable,
} from './route-table.js';
import type { RoutingCarrier } from './routing-carrier.js';
import type { RoutingRoute } from './routing-route.js';

/** The nodes down to this depth lie together: every number passes them, so they stay in the processor's caches. */
const CROWN_DEPTH = 6;

/** A node to be filled with the prefixes from..to, which share their first `depth` digits. */
interface Branch {
  readonly node: number;
  readonly from: number;
  readonly to: number;
  readonly depth: number;
  /** The nearest node above that has routes. */
  readonly above: number;
}

/**
 * Packs the routes of `carriers`, which are known by their places. Throws what `rankRoutes` throws, and a RangeError
 * above 2^23 carriers, 2^18 - 1 routes of one prefix or 2^8 currencies.
 */
export function buildRouteTable(
  carriers: readonly RoutingCarrier[],
  placeOfCarrier: ReadonlyMap<string, number>,
  routes: Iterable<RoutingRoute>,
): RouteTable {
  if (carriers.length > MAX_CARRIERS) throw new RangeError('too many carriers for one index');
  const ranked = rankRoutes(carriers, placeOfCarrier, routes);
  const { keys, starts, order } = ranked;
  const size = countStems(keys) + order.length;
  const buffer = new ArrayBuffer(size * 16);
  const slots = new Int32Array(buffer);
  const doubles = new Float64Array(buffer);
  const routeIds = new Array<string>(size).fill('');
  let free = ROOT + 1;

  function take(count: number): number {
    free += count;
    return free - count;
  }

  /** Lays the routes of a prefix side by side. */
  function placeRoutes(prefix: number): { routes: number; routeCount: number } {
    const routeCount = starts[prefix + 1]! - starts[prefix]!;
    if (routeCount > MAX_ROUTES_OF_PREFIX) throw new RangeError('too many routes of one prefix');
    const first = take(routeCount);
    for (let i = 0; i < routeCount; i++) {
      const route = order[starts[prefix]! + i]!;
      routeIds[first + i] = ranked.routeIds[route]!;
      writeRoute({ slots, doubles }, first + i, {
        carrier: ranked.carriers[route]!,
        currency: ranked.currencyPlaces[route]!,
        priority: ranked.priorities[route]!,
        rate: ranked.rates[route]!,
      });
    }
    return { routes: first, routeCount };
  }

  /** Fills a node, makes room for its children, and answers the branches that start at them. */
  function placeNode({ node, from, to, depth, above }: Branch): Branch[] {
    const isPrefix = from < to && placeOf(keys[from]!, depth) === END;
    const children: Branch[] = [];
    let digits = 0;
    for (let key = isPrefix ? from + 1 : from; key < to;) {
      const digit = placeOf(keys[key]!, depth);
      const start = key;
      while (key < to && placeOf(keys[key]!, depth) === digit) key++;
      digits |= 1 << (digit - 1);
      children.push({
        node: take(1),
        from: start,
        to: key,
        depth: depth + 1,
        above: isPrefix ? node : above,
      });
    }
    const own = isPrefix ? placeRoutes(from) : { routes: 0, routeCount: 0 };
    writeNode(slots, node, { children: children[0]?.node ?? 0, digits, depth, above, ...own });
    return children;
  }

  function placeBranch(branch: Branch): void {
    for (const child of placeNode(branch)) placeBranch(child);
  }

  const branches: Branch[] = [{ node: ROOT, from: 0, to: keys.length, depth: 0, above: NO_NODE }];
  for (const branch of branches) {
    if (branch.depth < CROWN_DEPTH) branches.push(...placeNode(branch));
    else placeBranch(branch);
  }
  return {
    slots,
    doubles,
    routeIds,
    currencies: ranked.currencies,
    carrierPriorities: Float64Array.from(carriers, (carrier) => carrier.priority),
    weights: Float64Array.from(carriers, (carrier) => carrier.weight),
  };
}
