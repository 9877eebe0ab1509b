import { randomUUID } from 'node:crypto';
import type { webhooksContract } from '@trunkline/contracts';
import type { Deps } from '../deps.js';
import { appendDeliveries } from '../storage/delivery-outbox.js';
import { fanOut, type AcceptedEvent, type LoggedDelivery } from '../storage/fan-out.js';

/** What became of events: the log entries that were written, in the order of the subscriptions. */
export type Published = LoggedDelivery[];

/** Events, their log entries and what the dispatcher needs, all or nothing. An event that is known already does nothing. */
export async function publishEvents(
  { db, now, relay }: Deps,
  events: readonly AcceptedEvent[],
  onlyTo?: string,
): Promise<Published> {
  const logged = await db.$transaction(async (transaction) => {
    const entries = await fanOut(transaction, events, onlyTo);
    const byId = new Map(events.map((event) => [event.id, event]));
    await appendDeliveries(
      transaction,
      entries.map((entry) => deliveryOf(entry, byId.get(entry.eventId)!)),
      now(),
    );
    return entries;
  }, TRANSACTION);
  if (logged.length > 0) relay.wake();
  return logged;
}

/** Ten thousand subscriptions of one tenant take a second or two. */
const TRANSACTION = { maxWait: 5_000, timeout: 30_000 };

/** An event of the tenant's own making. */
export function newTenantEvent(
  { now }: Deps,
  tenantId: string,
  event: { type: string; payload: string },
  requestId: string,
): AcceptedEvent {
  return { ...event, id: randomUUID(), tenantId, occurredAt: now(), requestId };
}

/** What the dispatcher gets. */
export function deliveryOf(
  entry: LoggedDelivery,
  event: Omit<AcceptedEvent, 'id' | 'requestId'> & { requestId?: string | null | undefined },
): webhooksContract.WebhookDelivery {
  const secrets = [{ sealed: entry.secretSealed, valid_until: null as string | null }];
  if (entry.previousSecretSealed && entry.previousValidUntil) {
    secrets.push({ sealed: entry.previousSecretSealed, valid_until: entry.previousValidUntil.toISOString() });
  }
  return {
    delivery_id: entry.id,
    generation: entry.generation,
    subscription_id: entry.subscriptionId,
    tenant_id: event.tenantId,
    url: entry.url,
    sealed_secrets: secrets,
    event_type: event.type,
    occurred_at: event.occurredAt.toISOString(),
    payload: event.payload,
    max_retries: entry.maxRetries,
    timeout_ms: entry.timeoutMs,
    ...(event.requestId != null && { request_id: event.requestId }),
  };
}
