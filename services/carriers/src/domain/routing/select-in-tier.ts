import { whoseTurn, type Cursors } from './cursors.js';
import { carrierOf } from './route-table.js';
import type { CarrierObstacle } from './routing-carrier.js';
import { compareRates, indexOf, rowOf, weightOf, type TierMember } from './tier-member.js';
import type { RoutePool, TierWalk } from './tier-walk.js';

/** What a routing decision is taken from. Nothing in it is changed. */
export interface RouteRequest extends RoutePool {
  /** The destination in canonical E.164, as `normaliseE164` gives it. */
  readonly to: string;
  /** The account's currency, ISO 4217. */
  readonly currency: string;
  readonly cursors: Cursors;
  /** Whether all of a carrier's channels are taken. Absent: unknown, every carrier counts as free. */
  readonly isFull?: ((carrierId: string) => boolean) | undefined;
  /** Carriers that were already tried for this call. */
  readonly exclude?: ReadonlySet<string> | undefined;
}

/** Why a carrier of a matching route can not take this call. */
export type SkipReason = CarrierObstacle | 'already_tried';

/** What settled a tier: one route left, a round-robin turn by weight, the lowest rate, a turn among equal rates. */
export type TierRule = 'only_candidate' | 'round_robin' | 'least_cost' | 'rotation';

/** The route a tier gives the call to. */
export interface TierSelection {
  readonly member: TierMember;
  readonly rule: TierRule;
  /** The routes that drew for it. */
  readonly drawn: readonly TierMember[];
}

/** Specification "Routing of an outbound call", step 4, and inbound-only and already tried carriers. */
export function skipReason(request: RouteRequest, member: TierMember): SkipReason | undefined {
  const { table, carriers, obstacles } = indexOf(request, member);
  const place = carrierOf(table, rowOf(member));
  const obstacle = obstacles[place];
  if (obstacle !== undefined && obstacle !== 'full') return obstacle;
  if (request.exclude !== undefined && request.exclude.has(carriers[place]!.id)) return 'already_tried';
  if (obstacle !== undefined) return obstacle;
  if (request.isFull !== undefined && request.isFull(carriers[place]!.id)) return 'full';
  return undefined;
}

/** The routes of the tier a walk stands on that can take the call. */
export function openMembers(request: RouteRequest, walk: TierWalk): TierMember[] {
  const open: TierMember[] = [];
  for (let row = walk.ownFrom; row < walk.ownTo; row++) {
    if (skipReason(request, row) === undefined) open.push(row);
  }
  for (let row = walk.defaultsFrom; row < walk.defaultsTo; row++) {
    if (skipReason(request, ~row) === undefined) open.push(~row);
  }
  return open;
}

/** All routes of the tier a walk stands on. */
export function membersOfTier(walk: TierWalk): TierMember[] {
  const members: TierMember[] = [];
  for (let row = walk.ownFrom; row < walk.ownTo; row++) members.push(row);
  for (let row = walk.defaultsFrom; row < walk.defaultsTo; row++) members.push(~row);
  return members;
}

export function carrierIdOf(pool: RoutePool, member: TierMember): string {
  const { table, carriers } = indexOf(pool, member);
  return carriers[carrierOf(table, rowOf(member))]!.id;
}

/** Whether the tier a walk stands on has an own route, and so takes turns for the account alone. */
export function isAccountTier(walk: TierWalk): boolean {
  return walk.ownFrom < walk.ownTo;
}

/**
 * The rule within a tier, for the one or more routes that remain of it: where their weights differ, smooth weighted
 * round-robin; where they are equal, the lowest rate, and equal rates rotate (decisions 3).
 */
export function selectInTier(
  request: RouteRequest,
  accountTier: boolean,
  remaining: readonly TierMember[],
): TierSelection {
  if (remaining.length === 1) return { member: remaining[0]!, rule: 'only_candidate', drawn: remaining };
  if (weightsDiffer(request, remaining)) {
    const member = whoseTurn(request.cursors, request, accountTier, remaining);
    return { member, rule: 'round_robin', drawn: remaining };
  }
  const drawn = cheapest(request, remaining);
  if (drawn.length === 1) return { member: drawn[0]!, rule: 'least_cost', drawn };
  return { member: whoseTurn(request.cursors, request, accountTier, drawn), rule: 'rotation', drawn };
}

function weightsDiffer(pool: RoutePool, members: readonly TierMember[]): boolean {
  const first = weightOf(pool, members[0]!);
  for (let i = 1; i < members.length; i++) if (weightOf(pool, members[i]!) !== first) return true;
  return false;
}

function cheapest(request: RouteRequest, members: readonly TierMember[]): TierMember[] {
  let best = [members[0]!];
  for (let i = 1; i < members.length; i++) {
    const order = compareRates(request, members[i]!, best[0]!, request.currency);
    if (order < 0) best = [members[i]!];
    else if (order === 0) best.push(members[i]!);
  }
  return best;
}
