import { randomBytes, randomUUID } from 'node:crypto';
import { authIdOf } from '../domain/identifiers.js';
import { insertAccount, type Account } from '../storage/accounts.js';
import type { Db } from '../storage/database.js';
import { retryOnCollision } from './retry-on-collision.js';

export interface AccountInput {
  name: string;
  email: string;
  billing_mode: 'prepaid' | 'postpaid';
  currency: string;
  base_limit: number;
}

export async function createAccount(db: Db, input: AccountInput): Promise<Account> {
  return retryOnCollision(() =>
    insertAccount(db, {
      id: randomUUID(),
      tenantId: authIdOf(randomBytes(4)),
      name: input.name,
      email: input.email,
      billingMode: input.billing_mode,
      currency: input.currency,
      baseLimit: input.base_limit,
    }),
  );
}
