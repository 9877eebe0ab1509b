import type { Account } from '../storage/accounts.js';
import type { ApiKey } from '../storage/api-keys.js';
import type { IssuedKey } from '../use-cases/issue-key.js';

export function accountView(account: Account) {
  return {
    id: account.id,
    tenant_id: account.tenantId,
    name: account.name,
    email: account.email,
    status: account.status,
    billing_mode: account.billingMode,
    currency: account.currency,
    base_limit: account.baseLimit,
    created_at: account.createdAt.toISOString(),
  };
}

export function keyView(key: ApiKey) {
  return { auth_id: key.authId, account_id: key.accountId, created_at: key.createdAt.toISOString() };
}

export function issuedKeyView({ key, authToken }: IssuedKey) {
  return { ...keyView(key), auth_token: authToken };
}
