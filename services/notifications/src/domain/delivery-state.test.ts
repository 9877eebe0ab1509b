import fc from 'fast-check';
import { afterAttempt, type Attempt, type DeliveryState } from './delivery-state.js';

const at = (seconds: number) => new Date(1_790_000_000_000 + seconds * 1_000);
const pending: DeliveryState = {
  ...{ status: 'pending', generation: 1, attempts: 0, lastAttempt: 0 },
  ...{ lastAttemptAt: null, lastError: null },
};
const attempt = (fields: Partial<Attempt>): Attempt => ({
  ...{ generation: 1, attempt: 1, outcome: 'retrying', error: 'HTTP 500', attemptedAt: at(1) },
  ...fields,
});
const after = (attempts: Attempt[], from = pending) =>
  attempts.reduce<DeliveryState>((state, made) => afterAttempt(state, made), from);

test('a failed attempt that is retried leaves the delivery pending, with its reason', () => {
  expect(after([attempt({})])).toEqual({
    ...pending,
    ...{ attempts: 1, lastAttempt: 1, lastAttemptAt: at(1), lastError: 'HTTP 500' },
  });
});

test('a success after a failure delivers, and keeps the reason of the last failed attempt', () => {
  const made = [attempt({}), attempt({ attempt: 2, outcome: 'delivered', error: null, attemptedAt: at(2) })];
  expect(after(made)).toMatchObject({
    ...{ status: 'delivered', attempts: 2, lastError: 'HTTP 500', lastAttemptAt: at(2) },
  });
});

test.each(['delivered', 'failed'] as const)('nothing moves a delivery that is %s', (outcome) => {
  const ended = after([attempt({ attempt: 2, outcome })]);
  for (const late of ['delivered', 'retrying', 'failed'] as const) {
    expect(afterAttempt(ended, attempt({ attempt: 3, outcome: late, error: 'late' }))).toEqual({
      ...ended,
      attempts: 2,
    });
  }
});

test.each([
  ['an older generation', { generation: 0, attempt: 9 }],
  ['a generation that does not exist yet', { generation: 2, attempt: 1 }],
  ['an attempt that was overtaken', { attempt: 1 }],
  ['the same attempt of a dispatcher that was frozen', { attempt: 2 }],
])('%s is counted and changes nothing else', (_what, fields) => {
  const state = after([attempt({ attempt: 2 })]);
  expect(afterAttempt(state, attempt({ outcome: 'failed', ...fields }))).toEqual({ ...state, attempts: 2 });
});

test('whatever comes in whatever order, all is counted, the end is final and the rank never falls', () => {
  const any = fc.record<Attempt>({
    generation: fc.integer({ min: 0, max: 2 }),
    attempt: fc.integer({ min: 1, max: 6 }),
    outcome: fc.constantFrom('delivered', 'retrying', 'failed'),
    error: fc.constant('x'),
    attemptedAt: fc.constant(at(1)),
  });
  fc.assert(
    fc.property(fc.array(any), (attempts) => {
      let state = pending;
      for (const made of attempts) {
        const next = afterAttempt(state, made);
        expect(next.attempts).toBe(state.attempts + 1);
        expect(next.lastAttempt).toBeGreaterThanOrEqual(state.lastAttempt);
        if (state.status !== 'pending') expect(next.status).toBe(state.status);
        state = next;
      }
      // An oracle that looks at all of them at once: the first that ends it, of those that each beat all before.
      const mine = attempts.filter(({ generation }) => generation === 1);
      const rising = mine.filter((made, i) =>
        mine.slice(0, i).every(({ attempt }) => attempt < made.attempt),
      );
      const end = rising.find(({ outcome }) => outcome !== 'retrying');
      expect(state.status).toBe(end?.outcome ?? 'pending');
    }),
  );
});
