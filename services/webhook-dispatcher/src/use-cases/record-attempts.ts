import { webhooksContract, type EventEnvelope } from '@trunkline/contracts';
import { appendToOutbox, type OutboxMessage } from '@trunkline/events';
import type { Deps } from '../deps.js';
import { afterAttempt, type AttemptDecision } from '../domain/after-attempt.js';
import { settleDeliveries, type SettledAttempt, type SettledDelivery } from '../storage/deliveries.js';
import { lockLanes } from '../storage/lanes.js';
import type { AttemptResult } from './attempts-under-way.js';

/** A receiver whose attempts take longer keeps others waiting. */
const SLOW_MS = 1_000;

interface DecidedAttempt extends AttemptResult {
  decision: AttemptDecision;
}

type RecordDeps = Pick<Deps, 'db' | 'now' | 'random' | 'newId' | 'claims' | 'metrics'> & {
  relay: Pick<Deps['relay'], 'wake'>;
};

/**
 * The deliveries' new states and the news for the log, in one transaction. The result of an attempt whose lease somebody
 * else has by now, or of an older generation, changes nothing and is told to nobody.
 */
export async function recordAttempts(deps: RecordDeps, results: readonly AttemptResult[]): Promise<void> {
  const now = deps.now();
  const decided = results.map((result): DecidedAttempt => {
    const endedAt = new Date(result.attempt.attemptedAt.getTime() + result.attempt.durationMs);
    return {
      ...result,
      decision: afterAttempt(result.delivery, result.attempt.outcome, endedAt, deps.random()),
    };
  });
  const { settled, roomAgain } = await deps.db.$transaction(async (transaction) => {
    await lockLanes(transaction, [...new Set(results.map(({ delivery }) => delivery.subscriptionId))]);
    const settlement = await settleDeliveries(
      transaction,
      decided.map((each) => toSettle(each, now)),
    );
    await appendToOutbox(transaction, messagesOf(deps, decided, settlement.settled));
    return settlement;
  });
  if (settled.length > 0) deps.relay.wake();
  if (roomAgain) deps.claims.wake();
  const counted = new Set(settled.map(attemptKey));
  for (const { delivery, decision, attempt } of decided)
    deps.metrics.attempt(
      counted.has(attemptKey(delivery)) ? decision.outcome : 'overtaken',
      attempt.durationMs,
    );
}

/** The wait begins when the attempt ended and is measured by the database's clock. */
function toSettle({ delivery, attempt, decision }: DecidedAttempt, now: Date): SettledAttempt {
  const { deliveryId, generation, subscriptionId, leaseToken } = delivery;
  const { nextAttemptAt } = decision;
  return {
    deliveryId,
    generation,
    subscriptionId,
    leaseToken,
    retryInMs: nextAttemptAt && Math.max(0, nextAttemptAt.getTime() - now.getTime()),
    slow: attempt.durationMs > SLOW_MS,
  };
}

const attemptKey = ({ deliveryId, leaseToken }: { deliveryId: string; leaseToken: string }) =>
  `${deliveryId} ${leaseToken}`;

function messagesOf(
  { newId }: Pick<Deps, 'newId'>,
  decided: readonly DecidedAttempt[],
  settled: readonly SettledDelivery[],
): OutboxMessage[] {
  const counting = new Map(settled.map((each) => [attemptKey(each), each]));
  return decided.flatMap((each) => {
    const counts = counting.get(attemptKey(each.delivery));
    return counts ? [messageOf(newId(), each, counts)] : [];
  });
}

/** As `newEvent` makes it, without its check of each field: what is in here is ours (test/pipeline.test.ts checks it). */
function messageOf(
  id: string,
  { delivery, attempt, decision }: DecidedAttempt,
  { nextAttemptAt }: SettledDelivery,
): OutboxMessage {
  const { requestId } = delivery;
  const attempted_at = attempt.attemptedAt.toISOString();
  const data: webhooksContract.WebhookAttempt = {
    attempt_id: id,
    delivery_id: delivery.deliveryId,
    generation: delivery.generation,
    subscription_id: delivery.subscriptionId,
    tenant_id: delivery.tenantId,
    attempt: delivery.attempts + 1,
    outcome: decision.outcome,
    response_status: attempt.outcome.kind === 'answered' ? attempt.outcome.status : null,
    error: decision.error,
    response_excerpt: attempt.excerpt,
    duration_ms: attempt.durationMs,
    attempted_at,
    next_attempt_at: nextAttemptAt && nextAttemptAt.toISOString(),
  };
  const { type, topic } = webhooksContract.attemptMade;
  const envelope: EventEnvelope = {
    id,
    type,
    tenant_id: delivery.tenantId,
    occurred_at: attempted_at,
    data,
    ...(requestId !== null && { request_id: requestId }),
  };
  return {
    id,
    topic: topic.name,
    key: delivery.subscriptionId,
    payload: JSON.stringify(envelope),
    headers: { 'event-type': type, ...(requestId !== null && { 'request-id': requestId }) },
  };
}
