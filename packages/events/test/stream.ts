import type { BusMessage, ReceivedMessage } from '../src/index.js';

/** `perKey` numbered messages for each key, the keys taking turns. */
export function numbered(keys: number, perKey: number, from = 0): BusMessage[] {
  return Array.from({ length: keys * perKey }, (_, n) => ({
    key: `key-${n % keys}`,
    payload: String(from + Math.floor(n / keys)),
  }));
}

/** The numbers that arrived, per key in the order of arrival, each where it came first (it may come again). */
export function firstArrivals(received: readonly Pick<ReceivedMessage, 'key' | 'payload'>[]) {
  const keys = new Map<string, Set<number>>();
  for (const { key, payload } of received) keys.set(key, (keys.get(key) ?? new Set()).add(Number(payload)));
  return new Map([...keys].map(([key, numbers]) => [key, [...numbers]]));
}

/** Every message of `numbered` arrived, in order per key. */
export function expectAllInOrder(
  received: readonly Pick<ReceivedMessage, 'key' | 'payload'>[],
  keys: number,
  perKey: number,
): void {
  const arrived = firstArrivals(received);
  expect(arrived.size).toBe(keys);
  const expected = Array.from({ length: perKey }, (_, n) => n);
  for (const numbers of arrived.values()) expect(numbers).toEqual(expected);
}
