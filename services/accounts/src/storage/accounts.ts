import type { Account, Prisma } from '../generated/prisma/client.js';
import { notFound } from '@trunkline/errors';
import type { Db } from './database.js';

export type { Account };

export async function insertAccount(db: Db, account: Prisma.AccountCreateInput): Promise<Account> {
  return db.account.create({ data: account });
}

export async function getAccount(db: Db, id: string): Promise<Account> {
  const account = await db.account.findUnique({ where: { id } });
  if (!account) throw notFound('account');
  return account;
}

export async function getAccountOfTenant(db: Db, tenantId: string): Promise<Account> {
  const account = await db.account.findUnique({ where: { tenantId } });
  if (!account) throw notFound('account');
  return account;
}

/** Newest first. */
export async function listAccounts(
  db: Db,
  window: { skip: number; take: number },
): Promise<{ accounts: Account[]; total: number }> {
  const [accounts, total] = await Promise.all([
    db.account.findMany({ orderBy: [{ createdAt: 'desc' }, { id: 'desc' }], ...window }),
    db.account.count(),
  ]);
  return { accounts, total };
}

/** Only the keys present are written. */
export async function saveAccount(db: Db, id: string, changes: Prisma.AccountUpdateInput): Promise<Account> {
  const [account] = await db.account.updateManyAndReturn({ where: { id }, data: changes });
  if (!account) throw notFound('account');
  return account;
}
