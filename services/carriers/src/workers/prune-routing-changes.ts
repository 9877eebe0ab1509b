import type { Worker } from '@trunkline/service';
import type { Deps } from '../deps.js';
import { pruneRoutingChanges } from '../storage/routing-changes.js';

const BATCH = 1_000;

/** Keeps the feed of changes small. */
export function pruneRoutingChangesWorker({ db }: Deps): Worker {
  return {
    name: 'prune-routing-changes',
    everyMs: 60_000,
    async pass() {
      const handled = await pruneRoutingChanges(db, BATCH);
      return { handled, more: handled === BATCH };
    },
  };
}
