import { takeToken, type Admission, type Bucket, type BucketRule } from '../domain/token-bucket.js';

const MAX_BUCKETS = 100_000;

/** The token buckets of one gateway replica, by Auth ID. */
export class RateLimiter {
  private readonly buckets = new Map<string, Bucket>();

  constructor(
    private readonly rule: BucketRule,
    private readonly now: () => number = () => performance.now(),
  ) {}

  take(authId: string): Admission {
    const admission = takeToken(this.buckets.get(authId), this.rule, this.now());
    if (this.buckets.size >= MAX_BUCKETS && !this.buckets.has(authId)) this.forgetFull();
    this.buckets.set(authId, admission.bucket);
    return admission;
  }

  /** A bucket that is full again says nothing: forget it. */
  private forgetFull(): void {
    const fullAfterMs = (this.rule.burst / this.rule.perSecond) * 1_000;
    const now = this.now();
    for (const [authId, bucket] of this.buckets)
      if (now - bucket.at > fullAfterMs) this.buckets.delete(authId);
  }
}
