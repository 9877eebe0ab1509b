import type { LogEntry } from '../storage/deliveries.js';
import type { DeliveryAttempt } from '../storage/delivery-attempts.js';

/** Exactly the fields of the specification. */
export function logEntryView(entry: LogEntry) {
  return {
    id: entry.id,
    subscription_id: entry.subscriptionId,
    event_type: entry.eventType,
    payload: entry.payload,
    status: entry.status,
    attempts: entry.attempts,
    last_attempt_at: entry.lastAttemptAt?.toISOString() ?? null,
    last_error: entry.lastError,
    created_at: entry.createdAt.toISOString(),
  };
}

export function attemptView(attempt: DeliveryAttempt) {
  return {
    id: attempt.id,
    delivery_id: attempt.deliveryId,
    generation: attempt.generation,
    attempt: attempt.attempt,
    outcome: attempt.outcome,
    response_status: attempt.responseStatus,
    error: attempt.error,
    response_excerpt: attempt.responseExcerpt,
    duration_ms: attempt.durationMs,
    attempted_at: attempt.attemptedAt.toISOString(),
    next_attempt_at: attempt.nextAttemptAt?.toISOString() ?? null,
  };
}
