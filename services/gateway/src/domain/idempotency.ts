import { conflict, unprocessable, type TrunklineError } from '@trunkline/errors';

export interface KnownRequest {
  sameFingerprint: boolean;
  answered: boolean;
}

export type IdempotencyDecision = { replay: true } | { refuse: TrunklineError };

/** What a request gets whose Idempotency-Key belongs to an earlier one (decisions 2). */
export function decideRepeat(known: KnownRequest): IdempotencyDecision {
  if (!known.sameFingerprint) {
    return {
      refuse: unprocessable(
        'IDEMPOTENCY_KEY_REUSED',
        'This Idempotency-Key was used with another body or path.',
      ),
    };
  }
  if (!known.answered) {
    return {
      refuse: conflict(
        'IDEMPOTENCY_IN_PROGRESS',
        'The first request with this Idempotency-Key is still in flight.',
        1,
      ),
    };
  }
  return { replay: true };
}

/** A 5xx may succeed next time, and a 429 surely will: neither is kept. */
export function isKept(status: number): boolean {
  return status < 500 && status !== 429;
}
