import { invalid } from '@trunkline/errors';
import type { Deps } from '../deps.js';
import { getDelivery, type LogEntry } from '../storage/deliveries.js';
import { requeueDelivery, requeueFailed } from '../storage/requeued-deliveries.js';
import { getSubscription } from '../storage/subscriptions.js';
import { newTenantEvent, publishEvents } from './publish-event.js';

/** These three deliver to a subscription that is not active too: it was asked for. */

/** Delivers again what has ended; what is under way already is left alone. Errors: NOT_FOUND. */
export async function retryDelivery(
  { db }: Deps,
  tenantId: string,
  subscriptionId: string,
  deliveryId: string,
): Promise<LogEntry> {
  await getSubscription(db, tenantId, subscriptionId);
  await getDelivery(db, tenantId, deliveryId, subscriptionId);
  await requeueDelivery(db, tenantId, subscriptionId, deliveryId);
  return getDelivery(db, tenantId, deliveryId, subscriptionId);
}

/** Delivers again what failed of the events accepted in a span; answers how many. Errors: NOT_FOUND, VALIDATION_FAILED. */
export async function recoverDeliveries(
  { db, now }: Deps,
  tenantId: string,
  subscriptionId: string,
  span: { since: string; until?: string },
): Promise<number> {
  const [since, until] = [new Date(span.since), span.until === undefined ? now() : new Date(span.until)];
  await getSubscription(db, tenantId, subscriptionId);
  if (since >= until) throw invalid([{ field: 'since', message: 'since must be before until' }]);
  return requeueFailed(db, tenantId, subscriptionId, { since, until });
}

/** Delivers a `webhook.test` event to this subscription alone. Errors: NOT_FOUND. */
export async function testSubscription(
  deps: Deps,
  tenantId: string,
  subscriptionId: string,
  requestId: string,
): Promise<LogEntry> {
  const { id } = await getSubscription(deps.db, tenantId, subscriptionId);
  const payload = JSON.stringify({ subscription_id: id });
  const event = newTenantEvent(deps, tenantId, { type: 'webhook.test', payload }, requestId);
  const [entry] = await publishEvents(deps, [event], id);
  return getDelivery(deps.db, tenantId, entry?.id ?? event.id, id);
}
