import { saveAccount, type Account } from '../storage/accounts.js';
import { listKeys } from '../storage/api-keys.js';
import type { Db } from '../storage/database.js';
import type { AccountInput } from './create-account.js';

export type AccountChanges = Partial<Omit<AccountInput, 'currency'>> & { status?: 'active' | 'suspended' };

/** Suspends, resumes or edits. Answers the Auth IDs that gateways must look up anew. */
export async function changeAccount(
  db: Db,
  id: string,
  changes: AccountChanges,
): Promise<{ account: Account; authIds: string[] }> {
  const account = await saveAccount(db, id, {
    ...(changes.name !== undefined && { name: changes.name }),
    ...(changes.email !== undefined && { email: changes.email }),
    ...(changes.status !== undefined && { status: changes.status }),
    ...(changes.billing_mode !== undefined && { billingMode: changes.billing_mode }),
    ...(changes.base_limit !== undefined && { baseLimit: changes.base_limit }),
  });
  const keys = await listKeys(db, id);
  return { account, authIds: keys.map((key) => key.authId) };
}
