import { randomUUID } from 'node:crypto';
import { webhooksContract, type EventEnvelope } from '@trunkline/contracts';
import type { AccountCaller } from '@trunkline/http';
import { accountCaller, type TestService } from '@trunkline/testing';
import { fanOutEvents } from '../src/consumers/fan-out-events.js';
import { recordAttemptsConsumer } from '../src/consumers/record-attempts.js';
import type { Deps } from '../src/deps.js';

export type Notifications = TestService<Deps>;
export type Delivery = webhooksContract.WebhookDelivery;
export type Attempt = webhooksContract.WebhookAttempt;

export const WEBHOOKS = '/v1/notifications/webhooks';
export const NOTIFICATIONS = '/v1/notifications/notifications';

let callers = 0;
/** A caller of its own for a test: nobody else's webhooks get its events. */
export const newCaller = (): AccountCaller => accountCaller(++callers + 1_000);

export async function subscribe(service: Notifications, as: AccountCaller, fields: object = {}) {
  const body = { url: 'https://hooks.acme.example/', events: ['*'], ...fields };
  return (await service.as(as).post(WEBHOOKS).send(body).expect(201)).body as {
    id: string;
    secret: string;
    active: boolean;
    updated_at: string;
  };
}

export async function publish(
  service: Notifications,
  as: AccountCaller,
  event_type = 'order.shipped',
  payload = '{"order": 4711}',
) {
  const answer = await service.as(as).post(NOTIFICATIONS).send({ event_type, payload }).expect(202);
  return answer.body as { id: string; event_type: string; queued_subscriptions: number };
}

export const readEntry = async (service: Notifications, as: AccountCaller, id: string) =>
  (await service.as(as).get(`${NOTIFICATIONS}/${id}`).expect(200)).body;

/** What waits for the dispatcher, in order. */
export async function outbox(service: Notifications, tenantId?: string): Promise<Delivery[]> {
  const rows = await service.deps.db.outbox.findMany({ orderBy: { seq: 'asc' } });
  return rows
    .filter(({ topic }) => topic === webhooksContract.WEBHOOK_DELIVERIES)
    .map(({ payload }) => (JSON.parse(payload) as EventEnvelope<Delivery>).data)
    .filter(({ tenant_id }) => tenantId === undefined || tenant_id === tenantId);
}

export const emptyOutbox = async ({ deps }: Notifications) => void (await deps.db.outbox.deleteMany());

export function envelope(tenant_id: string, fields: Partial<EventEnvelope> = {}): EventEnvelope {
  return {
    id: randomUUID(),
    type: 'call.completed',
    tenant_id,
    occurred_at: '2026-11-20T09:00:00.000Z',
    data: { call_id: 'c1', duration: 7 },
    ...fields,
  };
}

/** Hands events to the consumer, as the bus would. */
export const consume = ({ deps }: Notifications, ...events: EventEnvelope[]) =>
  fanOutEvents(deps).handle(events);

export function attemptOf(delivery: Delivery, fields: Partial<Attempt> = {}): Attempt {
  const { delivery_id, generation, subscription_id, tenant_id } = delivery;
  return {
    ...{ attempt_id: randomUUID(), delivery_id, generation, subscription_id, tenant_id },
    ...{ attempt: 1, outcome: 'delivered', response_status: 200, error: null, response_excerpt: 'ok' },
    ...{ duration_ms: 12.6, attempted_at: '2026-11-20T09:00:01.000Z', next_attempt_at: null },
    ...fields,
  };
}

export const failedAttempt = (delivery: Delivery, fields: Partial<Attempt> = {}) =>
  attemptOf(delivery, { outcome: 'failed', response_status: 500, error: 'HTTP 500', ...fields });

/** Hands the results of the dispatcher to the consumer, as the bus would. */
export const report = ({ deps }: Notifications, ...attempts: Attempt[]) =>
  recordAttemptsConsumer(deps).handle(
    attempts.map((data) => envelope(data.tenant_id, { id: data.attempt_id, type: 'webhook.attempt', data })),
  );
