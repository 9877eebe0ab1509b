import type { RouteIndex } from './route-index.js';
import {
  carrierPriorityOf,
  digitsOf,
  firstRouteOf,
  longestPrefix,
  NO_NODE,
  routeCountOf,
  routePriorityOf,
  shorterPrefix,
  type RouteTable,
} from './route-table.js';

/** The two owners whose routes compete for a call. */
export interface RoutePool {
  /** The account's own carriers. */
  readonly own: RouteIndex | undefined;
  /** The platform's default carriers; undefined where they are disabled for the account. */
  readonly defaults: RouteIndex | undefined;
}

/**
 * Where a walk over the tiers of a pool stands. A tier is the matching routes of one prefix length, one carrier
 * priority and one route priority: the own routes `ownFrom` up to `ownTo`, then the default routes likewise.
 */
export interface TierWalk {
  readonly own: RouteTable | undefined;
  readonly defaults: RouteTable | undefined;
  /** The number of digits of the tier's prefix. */
  digits: number;
  ownFrom: number;
  ownTo: number;
  defaultsFrom: number;
  defaultsTo: number;
  /** Where the routes of this prefix length end. */
  ownEnd: number;
  defaultsEnd: number;
  /** The next prefixes to look at. */
  ownPrefix: number;
  defaultsPrefix: number;
}

/** A walk that stands before the first tier matching an E.164 number. */
export function startTierWalk(pool: RoutePool, to: string): TierWalk {
  const own = pool.own?.table;
  const defaults = pool.defaults?.table;
  return {
    own,
    defaults,
    digits: 0,
    ownFrom: 0,
    ownTo: 0,
    defaultsFrom: 0,
    defaultsTo: 0,
    ownEnd: 0,
    defaultsEnd: 0,
    ownPrefix: own === undefined ? NO_NODE : longestPrefix(own, to),
    defaultsPrefix: defaults === undefined ? NO_NODE : longestPrefix(defaults, to),
  };
}

/**
 * Moves to the next tier: longest prefix first, then carrier priority, then route priority, both descending
 * (specification "Routing of an outbound call", steps 2 and 3). False when there is none left.
 */
export function nextTier(walk: TierWalk): boolean {
  if (walk.ownTo === walk.ownEnd && walk.defaultsTo === walk.defaultsEnd && !nextPrefixLength(walk))
    return false;
  walk.ownFrom = walk.ownTo;
  walk.defaultsFrom = walk.defaultsTo;
  const order = compareHeads(walk);
  if (order <= 0) walk.ownTo = endOfRank(walk.own!, walk.ownFrom, walk.ownEnd);
  if (order >= 0) walk.defaultsTo = endOfRank(walk.defaults!, walk.defaultsFrom, walk.defaultsEnd);
  return true;
}

function nextPrefixLength(walk: TierWalk): boolean {
  const { own, defaults, ownPrefix, defaultsPrefix } = walk;
  const ownDigits = ownPrefix === NO_NODE ? -1 : digitsOf(own!, ownPrefix);
  const defaultsDigits = defaultsPrefix === NO_NODE ? -1 : digitsOf(defaults!, defaultsPrefix);
  walk.digits = Math.max(ownDigits, defaultsDigits);
  if (walk.digits < 0) return false;
  if (ownDigits === walk.digits) {
    walk.ownTo = firstRouteOf(own!, ownPrefix);
    walk.ownEnd = walk.ownTo + routeCountOf(own!, ownPrefix);
    walk.ownPrefix = shorterPrefix(own!, ownPrefix);
  }
  if (defaultsDigits === walk.digits) {
    walk.defaultsTo = firstRouteOf(defaults!, defaultsPrefix);
    walk.defaultsEnd = walk.defaultsTo + routeCountOf(defaults!, defaultsPrefix);
    walk.defaultsPrefix = shorterPrefix(defaults!, defaultsPrefix);
  }
  return true;
}

/** Which owner's next routes come first: negative own, positive default, 0 both (one tier). */
function compareHeads(walk: TierWalk): number {
  if (walk.defaultsFrom === walk.defaultsEnd) return -1;
  if (walk.ownFrom === walk.ownEnd) return 1;
  return (
    carrierPriorityOf(walk.defaults!, walk.defaultsFrom) - carrierPriorityOf(walk.own!, walk.ownFrom) ||
    routePriorityOf(walk.defaults!, walk.defaultsFrom) - routePriorityOf(walk.own!, walk.ownFrom)
  );
}

function endOfRank(table: RouteTable, from: number, end: number): number {
  const carrierPriority = carrierPriorityOf(table, from);
  const routePriority = routePriorityOf(table, from);
  let row = from + 1;
  while (
    row < end &&
    carrierPriorityOf(table, row) === carrierPriority &&
    routePriorityOf(table, row) === routePriority
  )
    row++;
  return row;
}
