import type { HealthStatus } from './health-state.js';
import { healthTurn } from './health-turn.js';

test.each<[HealthStatus, HealthStatus, string | undefined]>([
  ['unknown', 'unhealthy', 'unhealthy'],
  ['healthy', 'unhealthy', 'unhealthy'],
  ['degraded', 'unhealthy', 'unhealthy'],
  ['unhealthy', 'healthy', 'healthy'],
  ['unhealthy', 'degraded', 'healthy'],
  ['unhealthy', 'unhealthy', undefined],
  ['unknown', 'healthy', undefined],
  ['healthy', 'degraded', undefined],
  ['degraded', 'healthy', undefined],
])('from %s to %s it turns %s', (before, after, turn) => {
  expect(healthTurn(before, after)).toBe(turn);
});
