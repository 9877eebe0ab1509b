import type { Worker } from '@trunkline/service';
import type { Deps } from '../deps.js';
import { deliverDue } from '../use-cases/deliver-due.js';

const BATCH = 200;

/** Starts the attempts that are due and waits for none. Any number of replicas may do it at once. */
export function deliverWorker(deps: Deps): Worker {
  return {
    name: 'deliver',
    everyMs: 50,
    async pass() {
      const handled = await deliverDue(deps, BATCH);
      return { handled, more: handled === BATCH };
    },
    onStart: (wake) => deps.claims.onStart(wake),
  };
}
