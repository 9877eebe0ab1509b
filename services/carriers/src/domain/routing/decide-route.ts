import type { Turn } from './cursors.js';
import { routeCandidate, type RouteCandidate } from './route-candidate.js';
import {
  carrierIdOf,
  isAccountTier,
  openMembers,
  selectInTier,
  type RouteRequest,
  type TierRule,
} from './select-in-tier.js';
import type { TierMember } from './tier-member.js';
import { nextTier, startTierWalk } from './tier-walk.js';

/** Where a call goes. */
export interface RouteDecision {
  readonly carrierId: string;
  readonly rule: TierRule;
  /** The round-robin turn to `advance` once the channel is reserved; undefined when there was no draw. */
  readonly turn: Turn | undefined;
  /** The route, for `selectedRoute`. */
  readonly member: TierMember;
  readonly digits: number;
}

/**
 * The carrier of an outbound call: the selection of the first tier in which a route remains
 * (specification "Routing of an outbound call to a carrier", decisions 3). Undefined: none can take the call
 * (502 NO_CARRIER_AVAILABLE). Reads the cursors, changes nothing.
 * After a failure, ask again with the carrier in `exclude`: the answer is the next of `explainRoute`'s failover list.
 */
export function decideRoute(request: RouteRequest): RouteDecision | undefined {
  const walk = startTierWalk(request, request.to);
  while (nextTier(walk)) {
    const open = openMembers(request, walk);
    if (open.length === 0) continue;
    const accountTier = isAccountTier(walk);
    const { member, rule, drawn } = selectInTier(request, accountTier, open);
    const { own, defaults } = request;
    const turn =
      drawn.length === 1 ? undefined : { own, defaults, accountTier, members: drawn, taken: member };
    return { carrierId: carrierIdOf(request, member), rule, turn, member, digits: walk.digits };
  }
  return undefined;
}

/** The route of a decision on this very request, in full. */
export function selectedRoute(
  request: RouteRequest,
  { member, digits, rule }: RouteDecision,
): RouteCandidate {
  return routeCandidate(request, member, request.to, digits, 'selected', rule);
}
