import { routeCandidate, type FailoverReason, type RouteCandidate } from './route-candidate.js';
import {
  carrierIdOf,
  isAccountTier,
  membersOfTier,
  selectInTier,
  skipReason,
  type RouteRequest,
  type TierRule,
} from './select-in-tier.js';
import { compareRates, type TierMember } from './tier-member.js';
import { nextTier, startTierWalk, type TierWalk } from './tier-walk.js';

/** A routing decision with its reasons. */
export interface RouteExplanation {
  readonly selected: RouteCandidate | undefined;
  /** The order in which carriers are tried, the selected one first; each carrier once, at its best place. */
  readonly failover: readonly RouteCandidate[];
  /** Every matching route, tier by tier; in a tier the listed ones in their order, then the skipped ones. */
  readonly candidates: readonly RouteCandidate[];
}

interface First {
  readonly member: TierMember;
  readonly rule: TierRule;
  readonly digits: number;
  readonly tier: number;
}

/**
 * What `decideRoute` decides for the same request, and why. The failover list is the rule applied again and again to
 * what remains, so each entry is what `decideRoute` selects once those before it are excluded or full.
 */
export function explainRoute(request: RouteRequest): RouteExplanation {
  const candidates: RouteCandidate[] = [];
  const listed = new Set<string>();
  const walk = startTierWalk(request, request.to);
  let first: First | undefined;
  for (let tier = 0; nextTier(walk); tier++) {
    const { remaining, skipped } = sift(request, walk, listed);
    while (remaining.length > 0) {
      const { member, rule } = selectInTier(request, isAccountTier(walk), remaining);
      remaining.splice(remaining.indexOf(member), 1);
      listed.add(carrierIdOf(request, member));
      const reason =
        first === undefined ? rule : failoverReason(request, first, { member, digits: walk.digits, tier });
      const decision = first === undefined ? 'selected' : 'failover';
      first ??= { member, rule, digits: walk.digits, tier };
      candidates.push(routeCandidate(request, member, request.to, walk.digits, decision, reason));
    }
    candidates.push(...skipped);
  }
  const failover = candidates.filter((candidate) => candidate.decision !== 'skipped');
  return { selected: failover[0], failover, candidates };
}

function sift(request: RouteRequest, walk: TierWalk, listed: ReadonlySet<string>) {
  const remaining: TierMember[] = [];
  const skipped: RouteCandidate[] = [];
  for (const member of membersOfTier(walk)) {
    const reason = listed.has(carrierIdOf(request, member)) ? 'duplicate' : skipReason(request, member);
    if (reason === undefined) remaining.push(member);
    else skipped.push(routeCandidate(request, member, request.to, walk.digits, 'skipped', reason));
  }
  return { remaining, skipped };
}

/** Why a route is not the first: it is in a later tier, or it lost by the rule that settled the first tier. */
function failoverReason(request: RouteRequest, first: First, route: Omit<First, 'rule'>): FailoverReason {
  if (route.digits < first.digits) return 'shorter_prefix';
  if (route.tier > first.tier) return 'lower_priority';
  if (first.rule === 'round_robin') return 'round_robin';
  return compareRates(request, route.member, first.member, request.currency) === 0
    ? 'rotation'
    : 'higher_rate';
}
