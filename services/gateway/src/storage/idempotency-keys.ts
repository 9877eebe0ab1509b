import { Prisma, type Db } from './database.js';

export interface IdempotencyClaim {
  owner: string;
  key: string;
  fingerprint: Uint8Array;
  claimId: string;
  lockSeconds: number;
  keepHours: number;
}

export interface StoredRequest {
  fingerprint: Uint8Array;
  responseStatus: number | null;
  responseType: string | null;
  responseSealed: string | null;
}

/**
 * Takes the key for this request in one statement: a new key, one whose 24 hours are over, or one whose first request
 * died unanswered. Answers what is stored when the key belongs to an earlier request, undefined when it was taken.
 */
export async function claimIdempotencyKey(
  db: Db,
  claim: IdempotencyClaim,
): Promise<StoredRequest | undefined> {
  const { owner, key, fingerprint, claimId, lockSeconds, keepHours } = claim;
  const taken = await db.$executeRaw`
    insert into idempotency_keys as k (owner, key, fingerprint, claim_id, locked_until, expires_at)
    values (${owner}, ${key}, ${fingerprint}, ${claimId}::uuid,
            now() + make_interval(secs => ${lockSeconds}), now() + make_interval(hours => ${keepHours}::int))
    on conflict (owner, key) do update
       set fingerprint = excluded.fingerprint, claim_id = excluded.claim_id, locked_until = excluded.locked_until,
           expires_at = excluded.expires_at, response_status = null, response_type = null, response_sealed = null
     where k.expires_at < now()
        or (k.response_status is null and k.locked_until < now() and k.fingerprint = excluded.fingerprint)`;
  if (taken) return undefined;
  const stored = await db.idempotencyKey.findUnique({ where: { owner_key: { owner, key } } });
  // Given up between the two statements: the next repeat will find it free.
  return stored ?? { fingerprint, responseStatus: null, responseType: null, responseSealed: null };
}

export interface Answer {
  status: number;
  type: string | null;
  sealed: string;
}

/** Keeps the answer; a request that lost its claim meanwhile changes nothing. */
export async function saveAnswer(
  db: Db,
  claimId: string,
  { owner, key }: { owner: string; key: string },
  answer: Answer,
): Promise<void> {
  await db.idempotencyKey.updateMany({
    where: { owner, key, claimId },
    data: { responseStatus: answer.status, responseType: answer.type, responseSealed: answer.sealed },
  });
}

/** Gives the key up, so that the request can be tried again. */
export async function releaseIdempotencyKey(
  db: Db,
  claimId: string,
  { owner, key }: { owner: string; key: string },
): Promise<void> {
  await db.idempotencyKey.deleteMany({ where: { owner, key, claimId, responseStatus: null } });
}

export async function deleteExpiredKeys(db: Db, limit: number): Promise<number> {
  return db.$executeRaw(Prisma.sql`
    delete from idempotency_keys where (owner, key) in (
      select owner, key from idempotency_keys where expires_at < now() order by expires_at limit ${limit} for update skip locked)`);
}
