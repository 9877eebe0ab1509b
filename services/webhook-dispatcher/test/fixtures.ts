import { randomUUID } from 'node:crypto';
import type { EventEnvelope } from '@trunkline/contracts';
import type { webhooksContract } from '@trunkline/contracts';
import { createSecretBox, parseEncryptionKeys } from '@trunkline/secrets';
import { startTestService, testEnvironment, type TestService } from '@trunkline/testing';
import type { Deps } from '../src/deps.js';
import { service } from '../src/service.js';
import type { Db } from '../src/storage/database.js';
import { acceptDeliveries } from '../src/use-cases/accept-deliveries.js';

export type Dispatcher = TestService<Deps>;
type Delivery = webhooksContract.WebhookDelivery;
export type ToldAttempt = webhooksContract.WebhookAttempt;

const secretBox = createSecretBox(parseEncryptionKeys(testEnvironment('').ENCRYPTION_KEYS!));

export const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

export function startDispatcher(options: Parameters<typeof startTestService<object, never, Deps>>[1] = {}) {
  return startTestService(service, options as object) as Promise<Dispatcher>;
}

export function sealed(subscriptionId: string, secret: string, validUntil: Date | null = null) {
  return {
    sealed: secretBox.seal(secret, `webhook-secret:${subscriptionId}`),
    valid_until: validUntil && validUntil.toISOString(),
  };
}

/** A delivery as notifications tells of it. */
export function delivery(fields: Partial<Delivery> & { url: string }): Delivery {
  const subscription_id = fields.subscription_id ?? randomUUID();
  return {
    delivery_id: randomUUID(),
    generation: 1,
    subscription_id,
    tenant_id: 'TJ00000001',
    sealed_secrets: [sealed(subscription_id, SECRET)],
    event_type: 'order.paid',
    occurred_at: '2026-01-15T12:00:00.000Z',
    payload: '{"order":42}',
    max_retries: 3,
    timeout_ms: 5_000,
    ...fields,
  };
}

export const deliveries = (count: number, fields: Partial<Delivery> & { url: string }): Delivery[] =>
  Array.from({ length: count }, () => delivery(fields));

export const accept = (dispatcher: Dispatcher, given: readonly Delivery[]) =>
  acceptDeliveries(dispatcher.deps, given);

/** Hands messages to the consumer as the bus does. */
export function consume(dispatcher: Dispatcher, given: readonly Delivery[]): Promise<void> {
  const [consumer] = dispatcher.consumers;
  return consumer!.handle(
    given.map((data): EventEnvelope => ({
      id: randomUUID(),
      type: 'webhook.delivery',
      tenant_id: data.tenant_id,
      occurred_at: data.occurred_at,
      data,
    })),
  );
}

/** Makes every attempt that is due now and waits for the results. Answers how many there were. */
export async function deliverAll(dispatcher: Dispatcher): Promise<number> {
  for (let made = 0; ;) {
    const handled = await dispatcher.pass('deliver');
    await dispatcher.deps.attempts.settled();
    if (handled === 0) return made;
    made += handled;
  }
}

/** Lets time pass: whatever the queue waits for comes so much earlier. */
export async function shift(db: Db, seconds: number): Promise<void> {
  await db.$executeRaw`update deliveries set due_at = due_at - ${seconds}::float8 * interval '1 second'`;
  await db.$executeRaw`update lanes set due_at = due_at - ${seconds}::float8 * interval '1 second'`;
}

/** The attempts that were told to notifications, in order. */
export async function told(db: Db, deliveryId?: string): Promise<ToldAttempt[]> {
  const rows = await db.outbox.findMany({ orderBy: { seq: 'asc' } });
  return rows
    .map(({ payload }) => (JSON.parse(payload) as EventEnvelope<ToldAttempt>).data)
    .filter(({ delivery_id }) => deliveryId === undefined || delivery_id === deliveryId);
}

export async function empty(db: Db): Promise<void> {
  await db.$executeRaw`truncate deliveries, lanes, accepted_deliveries, outbox`;
}
