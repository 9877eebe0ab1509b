import type { Worker } from '@trunkline/service';
import type { Deps } from '../deps.js';

/** Refreshes the keys in use before their second is over (use-cases/key-cache.ts). */
export function refreshKeys({ keys }: Deps): Worker {
  return { name: 'refresh-keys', everyMs: 400, pass: async () => ({ handled: await keys.refresh() }) };
}
