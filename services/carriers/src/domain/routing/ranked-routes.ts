import { prefixKey } from './prefix-key.js';
import { MAX_CURRENCIES } from './route-table.js';
import type { RoutingCarrier } from './routing-carrier.js';
import type { RoutingRoute } from './routing-route.js';

/** Routes by column, and their order by prefix and rank. A route is known by the place it was read at. */
export interface RankedRoutes extends RouteColumns {
  /** The distinct prefixes, as sorted `prefixKey`s. */
  readonly keys: Float64Array;
  /** The routes of prefix p are order[starts[p]] up to order[starts[p + 1]], the highest ranking first. */
  readonly starts: Int32Array;
  readonly order: Int32Array;
}

interface RouteColumns {
  readonly routeKeys: readonly number[];
  readonly carriers: readonly number[];
  readonly priorities: readonly number[];
  readonly currencyPlaces: readonly number[];
  readonly rates: readonly number[];
  readonly routeIds: readonly string[];
  readonly currencies: readonly string[];
}

/**
 * Reads routes once and ranks those of one prefix by carrier priority, route priority (both descending) and the place
 * of the carrier. A route of a carrier without a place is left out; a carrier with two routes of one prefix is an
 * Error (storage refuses it: ROUTE_EXISTS).
 */
export function rankRoutes(
  carriers: readonly RoutingCarrier[],
  placeOfCarrier: ReadonlyMap<string, number>,
  routes: Iterable<RoutingRoute>,
): RankedRoutes {
  const columns = readColumns(placeOfCarrier, routes);
  const keys = distinct(Float64Array.from(columns.routeKeys).sort());
  const { starts, order } = groupByPrefix(keys, columns.routeKeys);
  const rank = (a: number, b: number): number =>
    carriers[columns.carriers[b]!]!.priority - carriers[columns.carriers[a]!]!.priority ||
    columns.priorities[b]! - columns.priorities[a]! ||
    columns.carriers[a]! - columns.carriers[b]!;
  for (let prefix = 0; prefix < keys.length; prefix++) {
    const group = order.subarray(starts[prefix]!, starts[prefix + 1]!);
    if (group.length < 2) continue;
    const distinctCarriers = new Set(Array.from(group, (route) => columns.carriers[route]!));
    if (distinctCarriers.size < group.length) throw new Error('a carrier has two routes of one prefix');
    group.sort(rank);
  }
  return { ...columns, keys, starts, order };
}

function readColumns(
  placeOfCarrier: ReadonlyMap<string, number>,
  routes: Iterable<RoutingRoute>,
): RouteColumns {
  const routeKeys: number[] = [];
  const carriers: number[] = [];
  const priorities: number[] = [];
  const currencyPlaces: number[] = [];
  const rates: number[] = [];
  const routeIds: string[] = [];
  const currencies: string[] = [];
  for (const route of routes) {
    const carrier = placeOfCarrier.get(route.carrierId);
    if (carrier === undefined) continue;
    let currency = currencies.indexOf(route.rateCurrency);
    if (currency < 0) currency = currencies.push(route.rateCurrency) - 1;
    if (currency >= MAX_CURRENCIES) throw new RangeError('too many currencies for one index');
    routeKeys.push(prefixKey(route.prefix));
    carriers.push(carrier);
    priorities.push(route.priority);
    currencyPlaces.push(currency);
    rates.push(route.rate ?? Number.NaN);
    routeIds.push(route.id);
  }
  return { routeKeys, carriers, priorities, currencyPlaces, rates, routeIds, currencies };
}

function distinct(sorted: Float64Array): Float64Array {
  return sorted.filter((key, place) => place === 0 || key !== sorted[place - 1]);
}

/** A counting sort: which routes each prefix has, in the order they were read. */
function groupByPrefix(keys: Float64Array, routeKeys: readonly number[]) {
  const starts = new Int32Array(keys.length + 1);
  const prefixes = Int32Array.from(routeKeys, (key) => placeAmong(keys, key));
  for (const prefix of prefixes) starts[prefix + 1]!++;
  for (let prefix = 0; prefix < keys.length; prefix++) starts[prefix + 1]! += starts[prefix]!;
  const next = starts.slice();
  const order = new Int32Array(prefixes.length);
  prefixes.forEach((prefix, route) => (order[next[prefix]!++] = route));
  return { starts, order };
}

function placeAmong(sorted: Float64Array, key: number): number {
  let low = 0;
  let high = sorted.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! < key) low = middle + 1;
    else high = middle;
  }
  return low;
}
