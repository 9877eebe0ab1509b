import { randomBytes } from 'node:crypto';
import { digestOf } from '@trunkline/secrets';
import { authIdOf, authTokenOf } from '../domain/identifiers.js';
import { getAccount } from '../storage/accounts.js';
import { insertKey, saveRotatedKey, type ApiKey } from '../storage/api-keys.js';
import type { Db } from '../storage/database.js';
import { retryOnCollision } from './retry-on-collision.js';

/** A key with its token: the only moment at which the token can be read. */
export interface IssuedKey {
  key: ApiKey;
  authToken: string;
}

export async function issueKey(db: Db, accountId: string): Promise<IssuedKey> {
  await getAccount(db, accountId);
  const { authToken, tokenDigest } = newToken();
  const key = await retryOnCollision(() =>
    insertKey(db, { authId: authIdOf(randomBytes(4)), accountId, tokenDigest }),
  );
  return { key, authToken };
}

/** The old token stops working within a second on every gateway. */
export async function rotateKey(db: Db, authId: string, now: Date): Promise<IssuedKey> {
  const { authToken, tokenDigest } = newToken();
  return { key: await saveRotatedKey(db, authId, tokenDigest, now), authToken };
}

function newToken() {
  const authToken = authTokenOf(randomBytes(16));
  return { authToken, tokenDigest: new Uint8Array(digestOf(authToken)) };
}
