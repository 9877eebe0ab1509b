import { carrierOf, currencyOf, rateOf, routePriorityOf } from './route-table.js';
import type { SkipReason, TierRule } from './select-in-tier.js';
import { indexOf, rowOf, type TierMember } from './tier-member.js';
import type { RoutePool } from './tier-walk.js';

/** Why a failover carrier stands behind the selected one. `higher_rate`: its rate sorts later. */
export type FailoverReason = 'shorter_prefix' | 'lower_priority' | 'round_robin' | 'higher_rate' | 'rotation';

/** `duplicate`: the carrier already stands in the list, through a longer prefix or a better priority. */
export type CandidateReason = TierRule | FailoverReason | SkipReason | 'duplicate';

/** A matching route and what the decision made of it. */
export interface RouteCandidate {
  readonly carrierId: string;
  readonly routeId: string;
  readonly source: 'own' | 'default';
  readonly prefix: string;
  /** The carrier's. */
  readonly priority: number;
  readonly routePriority: number;
  readonly weight: number;
  readonly rate: number | null;
  readonly rateCurrency: string;
  readonly decision: 'selected' | 'failover' | 'skipped';
  readonly reason: CandidateReason;
}

/** Renders a route of a tier; `digits` is the length of its prefix, which `to` starts with. */
export function routeCandidate(
  pool: RoutePool,
  member: TierMember,
  to: string,
  digits: number,
  decision: RouteCandidate['decision'],
  reason: CandidateReason,
): RouteCandidate {
  const { table, carriers } = indexOf(pool, member);
  const row = rowOf(member);
  const carrier = carriers[carrierOf(table, row)]!;
  const rate = rateOf(table, row);
  return {
    carrierId: carrier.id,
    routeId: table.routeIds[row]!,
    source: member >= 0 ? 'own' : 'default',
    prefix: to.slice(0, digits + 1),
    priority: carrier.priority,
    routePriority: routePriorityOf(table, row),
    weight: carrier.weight,
    rate: Number.isNaN(rate) ? null : rate,
    rateCurrency: currencyOf(table, row),
    decision,
    reason,
  };
}
