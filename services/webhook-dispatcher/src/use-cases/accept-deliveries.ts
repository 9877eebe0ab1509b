import type { webhooksContract } from '@trunkline/contracts';
import type { Deps } from '../deps.js';
import { deliveryBody } from '../domain/delivery-body.js';
import { acceptDeliveries as markAccepted } from '../storage/accepted-deliveries.js';
import { insertDeliveries, type NewDelivery } from '../storage/deliveries.js';
import { openLanes } from '../storage/lanes.js';

/**
 * Takes deliveries over into the queue. One that was taken over before, waiting or final, changes nothing; one of a newer
 * generation begins anew. Answers how many are new.
 */
export async function acceptDeliveries(
  { db, claims }: Pick<Deps, 'db' | 'claims'>,
  deliveries: readonly webhooksContract.WebhookDelivery[],
): Promise<number> {
  const newest = newestGenerations(deliveries).map(toQueue);
  const accepted = await db.$transaction(async (transaction) => {
    const ids = await markAccepted(transaction, newest);
    const unknown = newest.filter(({ deliveryId }) => ids.has(deliveryId));
    if (unknown.length === 0) return 0;
    await openLanes(
      transaction,
      unknown.map(({ subscriptionId }) => subscriptionId),
    );
    await insertDeliveries(transaction, unknown);
    return unknown.length;
  });
  if (accepted > 0) claims.wake();
  return accepted;
}

/** One statement cannot take the same delivery twice. */
function newestGenerations(
  deliveries: readonly webhooksContract.WebhookDelivery[],
): webhooksContract.WebhookDelivery[] {
  const newest = new Map<string, webhooksContract.WebhookDelivery>();
  for (const delivery of deliveries) {
    const known = newest.get(delivery.delivery_id);
    if (!known || known.generation < delivery.generation) newest.set(delivery.delivery_id, delivery);
  }
  return [...newest.values()];
}

function toQueue(delivery: webhooksContract.WebhookDelivery): NewDelivery {
  return {
    // As PostgreSQL writes them.
    deliveryId: delivery.delivery_id.toLowerCase(),
    generation: delivery.generation,
    subscriptionId: delivery.subscription_id.toLowerCase(),
    tenantId: delivery.tenant_id,
    url: delivery.url,
    sealedSecrets: delivery.sealed_secrets,
    eventType: delivery.event_type,
    body: deliveryBody(delivery),
    maxRetries: delivery.max_retries,
    timeoutMs: delivery.timeout_ms,
    requestId: delivery.request_id ?? null,
  };
}
