import type { Worker } from '@trunkline/service';
import type { Deps } from '../deps.js';
import { expireLeases } from '../storage/channel-leases.js';

const BATCH = 1_000;

/** Frees channels whose owners died. Any number of replicas may do it at once. */
export function expireLeasesWorker({ db }: Deps): Worker {
  return {
    name: 'expire-leases',
    everyMs: 1_000,
    async pass() {
      const handled = await expireLeases(db, BATCH);
      return { handled, more: handled === BATCH };
    },
  };
}
