import type { Worker } from '@trunkline/service';
import type { Deps } from '../deps.js';
import { forgetAccepted } from '../storage/accepted-deliveries.js';

const BATCH = 5_000;

/** Keeps the memory of deliveries as long as their messages can come again. */
export function forgetAcceptedWorker({ db, config }: Deps): Worker {
  return {
    name: 'forget-accepted',
    everyMs: 60_000,
    async pass() {
      const handled = await forgetAccepted(db, config.rememberHours, BATCH);
      return { handled, more: handled === BATCH };
    },
  };
}
