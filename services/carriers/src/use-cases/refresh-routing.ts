import { buildRouteIndex, withCarrierState, type RouteIndex } from '../domain/routing/route-index.js';
import type { RoutingCarrier } from '../domain/routing/routing-carrier.js';
import type { Db } from '../storage/database.js';
import { accountOfScope, findFeedPosition, readFeed } from '../storage/routing-changes.js';
import {
  findAccountsWithoutDefaults,
  findPackedRoutes,
  findRouteFingerprints,
  findRoutingCarriers,
  unpackRoutes,
  type PackedRoutes,
} from '../storage/routing-snapshot.js';
import type { OwnerRoutes, RoutingTable } from './routing-table.js';

/** Loads everything: at the start, and when the feed of changes can not be followed any more. */
export async function loadRouting(db: Db, routing: RoutingTable): Promise<number> {
  // The position first: what changes during the load is read again.
  const position = await findFeedPosition(db);
  const [carriers, routes, withoutDefaults] = await Promise.all([
    findRoutingCarriers(db, 'all'),
    findPackedRoutes(db, 'all'),
    findAccountsWithoutDefaults(db, 'all'),
  ]);
  const owners = new Map<string, OwnerRoutes>();
  for (const [owner, own] of carriers) owners.set(owner, indexed(own, routesOfCarriers(own, routes)));
  routing.replace(owners, withoutDefaults);
  routing.position = position;
  return owners.size;
}

/** Works in what has changed since the last call. Answers how many scopes it loaded. */
export async function refreshRouting(db: Db, routing: RoutingTable): Promise<number> {
  if (!routing.position) return loadRouting(db, routing);
  const { scopes, broken, position } = await readFeed(db, routing.position);
  if (broken) return loadRouting(db, routing);
  const accountIds = scopes.map(accountOfScope).filter((id) => id !== undefined);
  const owners = scopes.filter((scope) => accountOfScope(scope) === undefined);
  if (owners.length > 0) await reloadOwners(db, routing, owners);
  if (accountIds.length > 0) await reloadSwitches(db, routing, accountIds);
  routing.position = position;
  return scopes.length;
}

/** Loads the routes that differ from those held; most changes are flips of state, and none does. */
async function reloadOwners(db: Db, routing: RoutingTable, owners: readonly string[]): Promise<void> {
  const [carriers, fingerprints] = await Promise.all([
    findRoutingCarriers(db, owners),
    findRouteFingerprints(db, owners),
  ]);
  const routes = new Map<string, PackedRoutes>();
  for (const owner of owners) {
    for (const [id, packed] of routing.routesOf(owner)?.packed ?? []) {
      if (fingerprints.has(id)) routes.set(id, packed);
    }
  }
  const stale = [...fingerprints.keys()].filter((id) => routes.get(id)?.fingerprint !== fingerprints.get(id));
  if (stale.length > 0) for (const [id, packed] of await findPackedRoutes(db, stale)) routes.set(id, packed);
  for (const owner of owners) {
    const own = carriers.get(owner);
    routing.putOwner(owner, own && reindexed(routing.routesOf(owner), own, routesOfCarriers(own, routes)));
  }
}

async function reloadSwitches(db: Db, routing: RoutingTable, accountIds: readonly string[]): Promise<void> {
  const off = new Set(await findAccountsWithoutDefaults(db, accountIds));
  for (const accountId of accountIds) routing.switchDefaults(accountId, !off.has(accountId));
}

type PackedByCarrier = ReadonlyMap<string, PackedRoutes>;

function routesOfCarriers(carriers: readonly RoutingCarrier[], routes: PackedByCarrier): PackedByCarrier {
  const found = carriers.map(({ id }) => [id, routes.get(id)] as const);
  return new Map(found.filter((entry): entry is [string, PackedRoutes] => entry[1] !== undefined));
}

function indexed(carriers: readonly RoutingCarrier[], packed: PackedByCarrier): OwnerRoutes {
  return { index: buildRouteIndex(carriers, unpackAll(packed)), packed };
}

function* unpackAll(packed: PackedByCarrier) {
  for (const [carrierId, routes] of packed) yield* unpackRoutes(carrierId, routes);
}

/** Routes are ranked anew, and the round-robin starts over, only where they, the priorities or the weights differ. */
function reindexed(
  held: OwnerRoutes | undefined,
  carriers: readonly RoutingCarrier[],
  packed: PackedByCarrier,
): OwnerRoutes {
  if (!held || !samePacked(held.packed, packed) || !sameRanks(held.index, carriers))
    return indexed(carriers, packed);
  return { packed, index: withCarrierState(held.index, carriers) };
}

function samePacked(held: PackedByCarrier, found: PackedByCarrier): boolean {
  return held.size === found.size && [...found].every(([id, packed]) => held.get(id) === packed);
}

function sameRanks(
  { carriers: held, placeOfCarrier }: RouteIndex,
  found: readonly RoutingCarrier[],
): boolean {
  return (
    held.length === found.length &&
    found.every(({ id, priority, weight }) => {
      const known = held[placeOfCarrier.get(id) ?? -1];
      return known?.priority === priority && known.weight === weight;
    })
  );
}
