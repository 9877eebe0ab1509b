import type { Deps } from '../deps.js';
import { deleteCarrier } from '../storage/carriers.js';
import { changeRouting } from '../storage/routing-changes.js';

/** No new call matches it; calls on it finish, for their leases stay. */
export async function removeCarrier({ db }: Deps, owner: string, id: string): Promise<void> {
  await changeRouting(db, owner, (transaction) => deleteCarrier(transaction, owner, id));
}
