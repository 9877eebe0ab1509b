import type { DeliveryAttempt, Prisma } from '../generated/prisma/client.js';
import type { DeliveryState } from '../domain/delivery-state.js';
import type { Db } from './database.js';

export type { DeliveryAttempt };

/** A delivery whose attempts are being recorded. */
export interface AttemptedDelivery extends DeliveryState {
  id: string;
  subscriptionId: string;
  tenantId: string;
}

/** The attempts of a delivery, the latest first. Ask only for a delivery of the caller: attempts know no owner. */
export async function listAttempts(
  db: Db,
  deliveryId: string,
  window: { skip: number; take: number },
): Promise<{ attempts: DeliveryAttempt[]; total: number }> {
  const where = { deliveryId } satisfies Prisma.DeliveryAttemptWhereInput;
  const [attempts, total] = await Promise.all([
    db.deliveryAttempt.findMany({
      where,
      orderBy: [{ generation: 'desc' }, { attempt: 'desc' }, { id: 'desc' }],
      ...window,
    }),
    db.deliveryAttempt.count({ where }),
  ]);
  return { attempts, total };
}

/** Keeps others from writing these deliveries until the transaction ends; unknown ids are left out. */
export async function lockDeliveries(db: Db, ids: readonly string[]): Promise<AttemptedDelivery[]> {
  // In one order everywhere, so that two replicas never wait for each other.
  return db.$queryRaw<AttemptedDelivery[]>`
    select id, subscription_id as "subscriptionId", tenant_id as "tenantId", status, generation, attempts,
      last_attempt as "lastAttempt", last_attempt_at as "lastAttemptAt", last_error as "lastError"
    from deliveries where id = any(${ids}::uuid[]) order by id for no key update`;
}

/** Answers the ids of those that were not known yet. */
export async function insertAttempts(db: Db, attempts: readonly DeliveryAttempt[]): Promise<Set<string>> {
  const written = attempts.map((each) => ({
    id: each.id,
    delivery_id: each.deliveryId,
    generation: each.generation,
    attempt: each.attempt,
    outcome: each.outcome,
    response_status: each.responseStatus,
    error: each.error,
    response_excerpt: each.responseExcerpt,
    duration_ms: each.durationMs,
    attempted_at: each.attemptedAt,
    next_attempt_at: each.nextAttemptAt,
  }));
  const rows = await db.$queryRaw<{ id: string }[]>`
    insert into delivery_attempts (id, delivery_id, generation, attempt, outcome, response_status, error,
      response_excerpt, duration_ms, attempted_at, next_attempt_at)
    select id, delivery_id, generation, attempt, outcome, response_status, error, response_excerpt, duration_ms,
      attempted_at, next_attempt_at
    from jsonb_to_recordset(${JSON.stringify(written)}::jsonb) as w(id uuid, delivery_id uuid, generation int,
      attempt int, outcome text, response_status int, error text, response_excerpt text, duration_ms int,
      attempted_at timestamptz, next_attempt_at timestamptz)
    order by id
    on conflict (id) do nothing returning id`;
  return new Set(rows.map(({ id }) => id));
}

/** Writes states of deliveries that the transaction holds. */
export async function saveDeliveries(db: Db, deliveries: readonly AttemptedDelivery[]): Promise<void> {
  const written = deliveries.map(({ id, status, attempts, lastAttempt, lastAttemptAt, lastError }) => ({
    ...{ id, status, attempts },
    ...{ last_attempt: lastAttempt, last_attempt_at: lastAttemptAt, last_error: lastError },
  }));
  await db.$executeRaw`
    update deliveries d
    set status = w.status, attempts = w.attempts, last_attempt = w.last_attempt,
      last_attempt_at = w.last_attempt_at, last_error = w.last_error
    from jsonb_to_recordset(${JSON.stringify(written)}::jsonb) as w(id uuid, status text, attempts int,
      last_attempt int, last_attempt_at timestamptz, last_error text)
    where d.id = w.id`;
}
