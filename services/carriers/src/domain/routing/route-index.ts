import { buildRouteTable } from './build-route-table.js';
import type { RouteTable } from './route-table.js';
import {
  carrierObstacle,
  type CarrierObstacle,
  type CarrierState,
  type RoutingCarrier,
} from './routing-carrier.js';
import type { RoutingRoute } from './routing-route.js';

/**
 * Everything one owner (an account's Auth ID, or the platform for its default carriers) brings to a routing decision.
 * Immutable: a change makes a new index, and the owner's holder swaps the reference.
 */
export interface RouteIndex {
  readonly table: RouteTable;
  /** Sorted by id, so that every replica breaks ties alike. */
  readonly carriers: readonly RoutingCarrier[];
  readonly placeOfCarrier: ReadonlyMap<string, number>;
  /** Beside `carriers`: what each record alone has against routing to it. */
  readonly obstacles: readonly (CarrierObstacle | undefined)[];
}

/** New values of a carrier's state; what is absent stays. */
export type CarrierStateChange = { readonly id: string } & Partial<CarrierState>;

/**
 * Builds an owner's index. `routes` is read once, so it may be a generator over database pages; priorities are 32-bit
 * integers. Throws a RangeError on a prefix that is not `^\+[0-9]{0,15}$`, an Error on a repeated (carrier, prefix).
 */
export function buildRouteIndex(
  carriers: Iterable<RoutingCarrier>,
  routes: Iterable<RoutingRoute>,
): RouteIndex {
  const sorted = [...carriers].sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
  const placeOfCarrier = new Map(sorted.map((carrier, place) => [carrier.id, place]));
  return {
    table: buildRouteTable(sorted, placeOfCarrier, routes),
    carriers: sorted,
    placeOfCarrier,
    obstacles: sorted.map(carrierObstacle),
  };
}

/**
 * The index with the state of some carriers changed (a health flip, a disabled carrier): the routes, and with them
 * the round-robin cursors, are shared with the old index. Carriers that are not in the index are ignored.
 * A change of priority, weight or routes needs a new `buildRouteIndex`.
 */
export function withCarrierState(index: RouteIndex, changes: Iterable<CarrierStateChange>): RouteIndex {
  const carriers = [...index.carriers];
  const obstacles = [...index.obstacles];
  for (const { id, ...change } of changes) {
    const place = index.placeOfCarrier.get(id);
    if (place === undefined) continue;
    const { status, healthStatus, carrierType, maxChannels } = { ...carriers[place]!, ...change };
    carriers[place] = { ...carriers[place]!, status, healthStatus, carrierType, maxChannels };
    obstacles[place] = carrierObstacle(carriers[place]);
  }
  return { ...index, carriers, obstacles };
}
