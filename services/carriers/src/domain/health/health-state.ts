import type { ProbeOutcome } from './probe-outcome.js';

export type HealthStatus = 'unknown' | 'healthy' | 'degraded' | 'unhealthy';

export interface HealthState {
  status: HealthStatus;
  consecutiveFailures: number;
}

export interface HealthThresholds {
  /** So many failures in a row make a carrier unhealthy. */
  unhealthyAfterFailures: number;
  /** A slower success makes a carrier degraded, which is still routable. */
  degradedAboveMs: number;
}

/**
 * The state of a carrier after a probe (specification, Carrier health_status; decisions, section 3): one failure alone
 * changes nothing, one success brings an unhealthy carrier back.
 */
export function afterProbe(
  state: HealthState,
  outcome: ProbeOutcome,
  thresholds: HealthThresholds,
): HealthState & { changed: boolean } {
  const next = nextState(state, outcome, thresholds);
  return { ...next, changed: next.status !== state.status };
}

function nextState(state: HealthState, outcome: ProbeOutcome, thresholds: HealthThresholds): HealthState {
  switch (outcome.kind) {
    case 'undecided':
      return state;
    case 'alive': {
      const slow = outcome.responseTimeMs > thresholds.degradedAboveMs;
      return { status: slow ? 'degraded' : 'healthy', consecutiveFailures: 0 };
    }
    case 'failed': {
      const consecutiveFailures = state.consecutiveFailures + 1;
      const unhealthy = consecutiveFailures >= thresholds.unhealthyAfterFailures;
      return { status: unhealthy ? 'unhealthy' : state.status, consecutiveFailures };
    }
  }
}
