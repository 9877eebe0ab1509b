/** How much a caller may still ask. `tokens` were there at `at` (milliseconds). */
export interface Bucket {
  tokens: number;
  at: number;
}

export interface BucketRule {
  /** Refill, requests a second. */
  perSecond: number;
  /** Capacity: the longest burst. */
  burst: number;
}

export interface Admission {
  allowed: boolean;
  bucket: Bucket;
  /** Whole requests left in the burst. */
  remaining: number;
  /** Seconds until the bucket is full again. */
  resetSeconds: number;
  /** Seconds until the next request is allowed; 0 when one is. */
  retryAfterSeconds: number;
}

/** Takes one token at `now`, when there is one. */
export function takeToken(before: Bucket | undefined, rule: BucketRule, now: number): Admission {
  const elapsed = before ? Math.max(0, now - before.at) / 1_000 : 0;
  const available = before ? Math.min(rule.burst, before.tokens + elapsed * rule.perSecond) : rule.burst;
  const allowed = available >= 1;
  const tokens = allowed ? available - 1 : available;
  return {
    allowed,
    bucket: { tokens, at: now },
    remaining: Math.floor(tokens),
    resetSeconds: Math.ceil((rule.burst - tokens) / rule.perSecond),
    retryAfterSeconds: tokens >= 1 ? 0 : (1 - tokens) / rule.perSecond,
  };
}
