import type { Worker } from '@trunkline/service';
import type { Deps } from '../deps.js';
import { refreshRouting } from '../use-cases/refresh-routing.js';

/** A change of carriers, routes, health or switches reaches this replica within a second. */
export function refreshRoutingWorker({ db, routing }: Deps): Worker {
  return {
    name: 'refresh-routing',
    everyMs: 200,
    pass: async () => ({ handled: await refreshRouting(db, routing) }),
  };
}
