import type { Worker } from '@trunkline/service';
import type { Deps } from '../deps.js';
import { probeCarriers } from '../use-cases/probe-carriers.js';

/**
 * So many starts per pass, ten passes a second: three times what 10,000 carriers need, yet a backlog after an outage
 * does not start as one burst of handshakes that would make this machine the slow one.
 */
const BATCH = 100;

/** Starts the probes that are due and waits for none: one slow carrier holds up no other. */
export function probeCarriersWorker(deps: Deps): Worker {
  return {
    name: 'probe-carriers',
    everyMs: 100,
    pass: async () => ({ handled: await probeCarriers(deps, BATCH) }),
  };
}
