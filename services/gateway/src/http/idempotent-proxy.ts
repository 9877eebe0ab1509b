import { createHash, randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { invalid } from '@trunkline/errors';
import type { BufferedAnswer } from '../adapters/upstream.js';
import type { Deps } from '../deps.js';
import { decideRepeat, isKept } from '../domain/idempotency.js';
import {
  claimIdempotencyKey,
  releaseIdempotencyKey,
  saveAnswer,
  type StoredRequest,
} from '../storage/idempotency-keys.js';
import { readBody } from './body.js';
import { upstreamRequest, type Visit } from './door.js';

const KEEP_HOURS = 24;
/** After the upstream's time-out the request is surely over; a gateway that died holds the key no longer than this. */
const LOCK_MARGIN_SECONDS = 15;

/** A POST with an Idempotency-Key: the first answer is kept for 24 hours, a repeat gets it again (decisions 2). */
export async function proxyIdempotently(deps: Deps, visit: Visit): Promise<void> {
  const key = keyOf(visit);
  const body = await readBody(visit.request);
  const fingerprint = createHash('sha256').update(`${visit.request.url}\n`).update(body).digest();
  const claimId = randomUUID();
  const stored = await claimIdempotencyKey(deps.db, {
    owner: visit.owner,
    key,
    fingerprint,
    claimId,
    lockSeconds: deps.config.upstreamTimeoutMs / 1_000 + LOCK_MARGIN_SECONDS,
    keepHours: KEEP_HOURS,
  });
  if (stored) return replay(deps, visit, key, stored, fingerprint);

  const record = { owner: visit.owner, key };
  let answer: BufferedAnswer;
  try {
    answer = await deps
      .upstream(visit.entry.service)
      .buffer(upstreamRequest(deps, visit, body.length ? body : null));
  } catch (error) {
    await releaseIdempotencyKey(deps.db, claimId, record);
    throw error;
  }
  if (isKept(answer.status)) {
    const sealed = deps.secrets.seal(answer.body.toString('utf8'), contextOf(visit.owner, key));
    await saveAnswer(deps.db, claimId, record, { status: answer.status, type: answer.type, sealed });
  } else {
    await releaseIdempotencyKey(deps.db, claimId, record);
  }
  send(visit.response, answer);
}

function keyOf({ request }: Visit): string {
  const key = request.headers['idempotency-key'];
  if (typeof key === 'string' && /^[\x20-\x7e]{1,255}$/.test(key)) return key;
  throw invalid([
    { field: 'Idempotency-Key', message: 'Idempotency-Key must have 1 to 255 printable ASCII characters' },
  ]);
}

function replay(deps: Deps, visit: Visit, key: string, stored: StoredRequest, fingerprint: Buffer): void {
  const sameFingerprint = fingerprint.equals(stored.fingerprint);
  const decision = decideRepeat({ sameFingerprint, answered: stored.responseStatus !== null });
  if ('refuse' in decision) throw decision.refuse;
  const body = Buffer.from(deps.secrets.open(stored.responseSealed ?? '', contextOf(visit.owner, key)));
  visit.response.setHeader('Idempotent-Replayed', 'true');
  send(visit.response, { status: stored.responseStatus ?? 200, type: stored.responseType, body });
}

/** Answers may hold what is shown once, so they are sealed, and only for their own key. */
function contextOf(owner: string, key: string): string {
  return `idempotency:${owner}:${key}`;
}

function send(response: ServerResponse, answer: BufferedAnswer): void {
  if (answer.type) response.setHeader('Content-Type', answer.type);
  if (answer.status !== 204) response.setHeader('Content-Length', answer.body.length);
  response.writeHead(answer.status).end(answer.status === 204 ? undefined : answer.body);
}
