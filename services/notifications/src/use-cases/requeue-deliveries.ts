import type { Deps } from '../deps.js';
import { appendDeliveries } from '../storage/delivery-outbox.js';
import { claimRequeued, failDeliveries, listRequeued } from '../storage/requeued-deliveries.js';
import { deliveryOf } from './publish-event.js';

/** `last_error` of a delivery that was to be repeated when its subscription was deleted. */
const SUBSCRIPTION_DELETED = 'subscription_deleted';

/** Hands one batch of retried and recovered deliveries to the dispatcher; answers how many. */
export async function requeueDeliveries({ db, now, relay }: Deps, limit: number): Promise<number> {
  const handled = await db.$transaction(async (transaction) => {
    const ids = await claimRequeued(transaction, limit);
    if (ids.length === 0) return 0;
    const found = await listRequeued(transaction, ids);
    const gone = new Set(ids);
    for (const { id } of found) gone.delete(id);
    if (gone.size > 0) await failDeliveries(transaction, [...gone], SUBSCRIPTION_DELETED);
    await appendDeliveries(
      transaction,
      found.map((each) => deliveryOf(each, { ...each, type: each.eventType })),
      now(),
    );
    return ids.length;
  });
  if (handled > 0) relay.wake();
  return handled;
}
