import { notFound } from '@trunkline/errors';
import type { Account, ApiKey } from '../generated/prisma/client.js';
import type { Db } from './database.js';

export type { ApiKey };

export async function insertKey(
  db: Db,
  key: { authId: string; accountId: string; tokenDigest: Uint8Array<ArrayBuffer> },
): Promise<ApiKey> {
  return db.apiKey.create({ data: key });
}

/** The keys of an account that are not revoked, newest first. */
export async function listKeys(db: Db, accountId: string): Promise<ApiKey[]> {
  return db.apiKey.findMany({
    where: { accountId, revokedAt: null },
    orderBy: [{ createdAt: 'desc' }, { authId: 'desc' }],
  });
}

export async function findKeysWithAccounts(
  db: Db,
  authIds: string[],
): Promise<(ApiKey & { account: Account })[]> {
  return db.apiKey.findMany({
    where: { authId: { in: authIds }, revokedAt: null },
    include: { account: true },
  });
}

/** Replaces the token of a key that is not revoked. */
export async function saveRotatedKey(
  db: Db,
  authId: string,
  tokenDigest: Uint8Array<ArrayBuffer>,
  now: Date,
): Promise<ApiKey> {
  const [key] = await db.apiKey.updateManyAndReturn({
    where: { authId, revokedAt: null },
    data: { tokenDigest, rotatedAt: now },
  });
  if (!key) throw notFound('API key');
  return key;
}

export async function markKeyRevoked(db: Db, authId: string, now: Date): Promise<void> {
  const { count } = await db.apiKey.updateMany({
    where: { authId, revokedAt: null },
    data: { revokedAt: now },
  });
  if (count === 0) throw notFound('API key');
}
