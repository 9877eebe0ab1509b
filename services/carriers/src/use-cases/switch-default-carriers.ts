import type { Deps } from '../deps.js';
import { saveSwitch, type DefaultCarrierSwitches } from '../storage/default-carrier-settings.js';
import { changeRouting } from '../storage/routing-changes.js';

/** Puts the default carriers into an account's pool, or takes them out of it. */
export async function switchDefaultCarriers(
  { db }: Deps,
  accountId: string,
  change: { accountEnabled: boolean } | { operatorEnabled: boolean },
): Promise<DefaultCarrierSwitches> {
  return changeRouting(db, `account:${accountId.toLowerCase()}`, (transaction) =>
    saveSwitch(transaction, accountId, change),
  );
}
