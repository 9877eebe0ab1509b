import type { accountsContract } from '@trunkline/contracts';
import type { Deps } from '../deps.js';
import { getAccountOfTenant } from '../storage/accounts.js';

/** `accounts.contact`: whom to write to about the account of a tenant. */
export async function findContact(
  { db }: Deps,
  request: { tenant_id: string },
): Promise<accountsContract.Contact> {
  const { name, email } = await getAccountOfTenant(db, request.tenant_id);
  return { name, email };
}
