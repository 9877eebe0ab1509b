import fc from 'fast-check';
import { retriesOf, retryDelayMs } from './retry-schedule.js';

test('without jitter the waits are 1, 4, 16, 64 and 256 seconds', () => {
  expect([1, 2, 3, 4, 5].map((retry) => retryDelayMs(retry, 0.5))).toEqual([
    1_000, 4_000, 16_000, 64_000, 256_000,
  ]);
});

test('jitter stays within a tenth, reaches both ends, and grows with the random number', () => {
  const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5 }), random, random, (retry, a, b) => {
      const exact = 1_000 * 4 ** (retry - 1);
      const delay = retryDelayMs(retry, a);
      expect(delay).toBeGreaterThanOrEqual(exact * 0.9);
      expect(delay).toBeLessThanOrEqual(exact * 1.1);
      expect(retryDelayMs(retry, Math.max(a, b))).toBeGreaterThanOrEqual(retryDelayMs(retry, Math.min(a, b)));
    }),
  );
  expect(retryDelayMs(5, 0)).toBe(230_400);
  expect(retryDelayMs(5, 1 - Number.EPSILON)).toBe(281_600);
});

test('there is no sixth retry and none before the first', () => {
  expect(() => retryDelayMs(6, 0.5)).toThrow(RangeError);
  expect(() => retryDelayMs(0, 0.5)).toThrow(RangeError);
});

test('max_retries counts up to five', () => {
  expect([0, 1, 3, 5, 6, 10].map(retriesOf)).toEqual([0, 1, 3, 5, 5, 5]);
});
