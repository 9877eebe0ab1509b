import fc from 'fast-check';
import { takeToken, type Bucket } from './token-bucket.js';

const rule = { perSecond: 100, burst: 200 };

test('a burst of 200 passes at once, the next request waits 10 ms', () => {
  let bucket: Bucket | undefined;
  for (let i = 0; i < 200; i++) {
    const admission = takeToken(bucket, rule, 0);
    expect(admission.allowed).toBe(true);
    bucket = admission.bucket;
  }
  const refused = takeToken(bucket, rule, 0);
  expect(refused).toMatchObject({ allowed: false, remaining: 0, resetSeconds: 2 });
  expect(refused.retryAfterSeconds).toBeCloseTo(0.01);
  expect(takeToken(refused.bucket, rule, 10).allowed).toBe(true);
});

test('whatever the timing, never more than burst + rate × time pass, and a clock that steps back gives nothing away', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -50, max: 500 }), { minLength: 1, maxLength: 300 }), (steps) => {
      let now = 0;
      let latest = 0;
      let bucket: Bucket | undefined;
      let passed = 0;
      let refilled = 0;
      for (const step of steps) {
        const before: number = now;
        now += step;
        refilled += Math.max(0, now - before);
        latest = Math.max(latest, now);
        const admission = takeToken(bucket, { perSecond: 10, burst: 5 }, now);
        bucket = admission.bucket;
        if (admission.allowed) passed++;
      }
      expect(passed).toBeLessThanOrEqual(5 + (refilled / 1_000) * 10 + 1e-6);
    }),
  );
});
