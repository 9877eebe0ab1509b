import type { RouteTable } from './route-table.js';
import { rowOf, weightOf, type TierMember } from './tier-member.js';
import type { RoutePool } from './tier-walk.js';

/**
 * The round-robin state of one replica: for each route the `current weight` of nginx's smooth weighted round-robin.
 * `decideRoute` and `explainRoute` only read it; `advance` and `retreat` move it.
 *
 * A tier with an own route is the account's, and so is its state; a tier of default routes alone is the platform's,
 * shared by all accounts, so that even accounts with one call a day spread over the default carriers by weight.
 *
 * The state hangs on the route table: a health flip (`withCarrierState`) keeps it, a rebuilt index starts at zero, as
 * nginx does on a reload, and the state of vanished routes goes with the old table. It is at most one number a route.
 */
export interface Cursors {
  readonly byTable: WeakMap<RouteTable, TableCursors>;
}

interface TableCursors {
  /** The current weight of each row. */
  readonly current: Float64Array;
  /** In an account's tiers: the current weights of the default rows that share a tier with own routes. */
  readonly guests: WeakMap<RouteTable, Map<number, number>>;
}

/** A draw of the round-robin among two or more routes: what `advance` needs to know of a decision. */
export interface Turn extends RoutePool {
  /** Whether the tier has an own route, and so is the account's. */
  readonly accountTier: boolean;
  readonly members: readonly TierMember[];
  readonly taken: TierMember;
}

/** No turn taken yet. */
export function createCursors(): Cursors {
  return { byTable: new WeakMap() };
}

/** Whose turn it is: the highest of current weight + weight, the first of several (nginx). */
export function whoseTurn(
  cursors: Cursors,
  pool: RoutePool,
  accountTier: boolean,
  members: readonly TierMember[],
): TierMember {
  const tableCursors = cursors.byTable.get((accountTier ? pool.own : pool.defaults)!.table);
  let best = members[0]!;
  let bestWeight = -Infinity;
  for (const member of members) {
    const current = tableCursors === undefined ? 0 : currentOf(tableCursors, pool, accountTier, member);
    const weight = current + weightOf(pool, member);
    if (weight > bestWeight) {
      best = member;
      bestWeight = weight;
    }
  }
  return best;
}

/**
 * Takes the turn of a decision: every route that was in the draw gains its weight, the taken one loses the total. Done at
 * once, so that calls which come together spread. A decision without a draw (nothing or one route to choose from) changes nothing.
 */
export function advance(cursors: Cursors, decision: { readonly turn: Turn | undefined }): void {
  move(cursors, decision.turn, 1);
}

/** Gives a turn back that led to no channel: the exact opposite of `advance`. */
export function retreat(cursors: Cursors, decision: { readonly turn: Turn | undefined }): void {
  move(cursors, decision.turn, -1);
}

function move(cursors: Cursors, pool: Turn | undefined, direction: 1 | -1): void {
  if (pool === undefined) return;
  const { accountTier, members, taken } = pool;
  const tableCursors = cursorsOf(cursors, (accountTier ? pool.own : pool.defaults)!.table);
  let total = 0;
  for (const member of members) {
    const weight = weightOf(pool, member) * direction;
    total += weight;
    add(tableCursors, pool, accountTier, member, weight);
  }
  add(tableCursors, pool, accountTier, taken, -total);
}

function cursorsOf(cursors: Cursors, table: RouteTable): TableCursors {
  let found = cursors.byTable.get(table);
  if (found === undefined) {
    found = { current: new Float64Array(table.routeIds.length), guests: new WeakMap() };
    cursors.byTable.set(table, found);
  }
  return found;
}

function isGuest(accountTier: boolean, member: TierMember): boolean {
  return accountTier && member < 0;
}

function currentOf(of: TableCursors, pool: RoutePool, accountTier: boolean, member: TierMember): number {
  if (isGuest(accountTier, member)) return of.guests.get(pool.defaults!.table)?.get(rowOf(member)) ?? 0;
  return of.current[rowOf(member)]!;
}

function add(
  of: TableCursors,
  pool: RoutePool,
  accountTier: boolean,
  member: TierMember,
  weight: number,
): void {
  if (!isGuest(accountTier, member)) {
    of.current[rowOf(member)]! += weight;
    return;
  }
  const table = pool.defaults!.table;
  const guests = of.guests.get(table) ?? new Map<number, number>();
  guests.set(rowOf(member), (guests.get(rowOf(member)) ?? 0) + weight);
  of.guests.set(table, guests);
}
