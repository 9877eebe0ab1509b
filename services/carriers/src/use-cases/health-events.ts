import { carriersContract } from '@trunkline/contracts';
import { newEvent, type OutboxMessage } from '@trunkline/events';
import type { HealthStatus } from '../domain/health/health-state.js';
import { healthTurn } from '../domain/health/health-turn.js';
import type { ProbeOutcome } from '../domain/health/probe-outcome.js';
import type { CarrierHealthRow } from '../storage/carrier-health.js';

/** A probe that changed the state of a carrier. */
export interface HealthChange {
  carrier: CarrierHealthRow;
  after: HealthStatus;
  outcome: ProbeOutcome;
  /** When the probe was made. */
  at: Date;
}

/** `carrier.unhealthy` and `carrier.healthy`, in the order of the changes; none for the platform's own carriers. */
export function healthEvents(changes: readonly HealthChange[]): OutboxMessage[] {
  return changes.flatMap(({ carrier, after, outcome, at }) => {
    const turn = healthTurn(carrier.status, after);
    if (!turn || carrier.tenantId === null || after === 'unknown') return [];
    const { carrierUnhealthy, carrierHealthy } = carriersContract;
    return newEvent(turn === 'unhealthy' ? carrierUnhealthy : carrierHealthy, {
      tenantId: carrier.tenantId,
      occurredAt: at,
      data: {
        carrier_id: carrier.carrierId,
        code: carrier.code,
        name: carrier.name,
        health_status: after,
        error_message: outcome.kind === 'failed' ? outcome.error : null,
        changed_at: at.toISOString(),
      },
    });
  });
}
