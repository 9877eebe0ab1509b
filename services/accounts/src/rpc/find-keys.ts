import type { accountsContract } from '@trunkline/contracts';
import type { Deps } from '../deps.js';
import { findKeysWithAccounts } from '../storage/api-keys.js';

/** `accounts.find-keys`: what a gateway must know to authenticate. */
export async function findKeys(
  { db }: Deps,
  request: { auth_ids: string[] },
): Promise<{ keys: accountsContract.ApiKey[] }> {
  const keys = await findKeysWithAccounts(db, request.auth_ids);
  return {
    keys: keys.map(({ account, ...key }) => ({
      auth_id: key.authId,
      token_digest: Buffer.from(key.tokenDigest).toString('hex'),
      account_id: account.id,
      tenant_id: account.tenantId,
      account_status: account.status as 'active' | 'suspended',
      currency: account.currency,
      billing_mode: account.billingMode as 'prepaid' | 'postpaid',
    })),
  };
}
