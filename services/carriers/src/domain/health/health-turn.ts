import type { HealthStatus } from './health-state.js';

/** What a change of state means to the carrier's owner: calls no longer leave through it, or do again (decisions 3). */
export type HealthTurn = 'unhealthy' | 'healthy';

/** Between the routable states (unknown, healthy, degraded) nothing turns. */
export function healthTurn(before: HealthStatus, after: HealthStatus): HealthTurn | undefined {
  if (before === after) return undefined;
  if (after === 'unhealthy') return 'unhealthy';
  return before === 'unhealthy' ? 'healthy' : undefined;
}
