import { sendRetryDelay } from './send-retry.js';

test.each([
  [1, 0, 5_000],
  [1, 0.5, 5_250],
  [2, 0, 30_000],
  [8, 0, 14_400_000],
  [9, 0, undefined],
])('after attempt %i (random %d) it waits %s ms', (attempt, random, wait) => {
  expect(sendRetryDelay(attempt, random)).toBe(wait);
});
