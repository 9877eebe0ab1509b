import { retransmitDelay } from './retransmit-delay.js';

test('T1, doubling up to T2 (RFC 3261 17.1.2.2: 500 ms, 1 s, 2 s, 4 s, 4 s, …)', () => {
  const delays: number[] = [];
  while (delays.length < 6) delays.push(retransmitDelay(delays.at(-1), false));
  expect(delays).toEqual([500, 1_000, 2_000, 4_000, 4_000, 4_000]);
});

test('after a provisional answer T2', () => {
  expect(retransmitDelay(undefined, true)).toBe(4_000);
  expect(retransmitDelay(500, true)).toBe(4_000);
});
