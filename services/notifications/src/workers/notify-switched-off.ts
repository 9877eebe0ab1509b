import type { Worker } from '@trunkline/service';
import type { Deps } from '../deps.js';
import { notifySwitchedOff } from '../use-cases/notify-switched-off.js';

const BATCH = 20;

/** Tells accounts of webhooks that were switched off; one that cannot be told yet is tried again after a minute. */
export function notifySwitchedOffWorker(deps: Deps): Worker {
  return {
    name: 'notify-switched-off',
    everyMs: 5_000,
    async pass() {
      const handled = await notifySwitchedOff(deps, BATCH);
      return { handled, more: handled === BATCH };
    },
  };
}
