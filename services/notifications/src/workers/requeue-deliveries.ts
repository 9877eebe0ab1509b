import type { Worker } from '@trunkline/service';
import type { Deps } from '../deps.js';
import { requeueDeliveries } from '../use-cases/requeue-deliveries.js';

const BATCH = 500;

/** Retries and recoveries go to the dispatcher batch by batch, so a recovery of any size takes little memory. */
export function requeueDeliveriesWorker(deps: Deps): Worker {
  return {
    name: 'requeue-deliveries',
    everyMs: 200,
    async pass() {
      const handled = await requeueDeliveries(deps, BATCH);
      return { handled, more: handled === BATCH };
    },
  };
}
