import { webhooksContract } from '@trunkline/contracts';
import { appendToOutbox, newEvent } from '@trunkline/events';
import type { Db } from './database.js';

/** Hands deliveries to the dispatcher when the transaction commits. */
export async function appendDeliveries(
  db: Db,
  deliveries: readonly webhooksContract.WebhookDelivery[],
  now: Date,
): Promise<void> {
  await appendToOutbox(
    db,
    deliveries.map((delivery) =>
      newEvent(webhooksContract.deliveryRequested, {
        tenantId: delivery.tenant_id,
        occurredAt: now,
        data: delivery,
        requestId: delivery.request_id,
      }),
    ),
  );
}
