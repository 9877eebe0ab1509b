import type { Worker } from '@trunkline/service';
import type { Deps } from '../deps.js';
import { pruneProbes } from '../storage/health-log.js';

const BATCH = 5_000;

/** Deletes log entries past their time. Any number of replicas may do it at once. */
export function pruneProbesWorker({ db, config }: Deps): Worker {
  return {
    name: 'prune-probes',
    everyMs: 3_600_000,
    async pass() {
      const handled = await pruneProbes(db, config.probeRetentionDays, BATCH);
      return { handled, more: handled === BATCH };
    },
  };
}
