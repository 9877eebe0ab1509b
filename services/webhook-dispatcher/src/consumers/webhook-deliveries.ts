import { webhooksContract } from '@trunkline/contracts';
import type { Consumer } from '@trunkline/events';
import type { Deps } from '../deps.js';
import { acceptDeliveries } from '../use-cases/accept-deliveries.js';

const BATCH = 500;

/** Takes deliveries over in batches; a receiver's slowness is met in the queue, never in a partition. */
export function webhookDeliveriesConsumer(deps: Deps): Consumer {
  const { deliveryRequested } = webhooksContract;
  return {
    group: 'webhook-dispatcher',
    topic: deliveryRequested.topic,
    contracts: [deliveryRequested],
    batchSize: BATCH,
    concurrency: 2,
    async handle(events) {
      await acceptDeliveries(
        deps,
        events.map(({ data }) => data as webhooksContract.WebhookDelivery),
      );
    },
  };
}
