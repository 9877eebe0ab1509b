import type { Worker } from '@trunkline/service';
import type { Deps } from '../deps.js';
import { measureQueue } from '../storage/deliveries.js';

export function measureQueueWorker({ db, metrics }: Deps): Worker {
  return {
    name: 'measure-queue',
    everyMs: 15_000,
    async pass() {
      metrics.queue(await measureQueue(db));
      return { handled: 0 };
    },
  };
}
