import type { Worker } from '@trunkline/service';
import type { Deps } from '../deps.js';
import { deleteExpiredKeys } from '../storage/idempotency-keys.js';

const BATCH = 1_000;

/** Forgets answers after their 24 hours. */
export function expireIdempotencyKeys({ db }: Deps): Worker {
  return {
    name: 'expire-idempotency-keys',
    everyMs: 60_000,
    async pass() {
      const handled = await deleteExpiredKeys(db, BATCH);
      return { handled, more: handled === BATCH };
    },
  };
}
