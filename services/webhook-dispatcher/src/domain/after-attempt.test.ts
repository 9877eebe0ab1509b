import fc from 'fast-check';
import { afterAttempt, type AttemptOutcome } from './after-attempt.js';

const now = new Date('2026-01-15T12:00:00.000Z');
const answered = (status: number): AttemptOutcome => ({ kind: 'answered', status });
const unanswered = (reason: string): AttemptOutcome => ({ kind: 'unanswered', reason });

/** Makes attempts until the delivery is final. Answers the seconds between them and how it ended. */
function play(maxRetries: number, outcomeOf: (attempt: number) => AttemptOutcome, random = 0.5) {
  const waits: number[] = [];
  for (let attempts = 0; ; attempts++) {
    const decision = afterAttempt({ attempts, maxRetries }, outcomeOf(attempts + 1), now, random);
    if (decision.outcome !== 'retrying') return { waits, ...decision };
    waits.push((decision.nextAttemptAt.getTime() - now.getTime()) / 1_000);
  }
}

test.each([200, 201, 202, 204, 299])('a %d delivers', (status) => {
  expect(play(5, () => answered(status))).toMatchObject({ waits: [], outcome: 'delivered', error: null });
});

test.each([100, 199, 300, 301, 302, 304, 307, 308, 400, 401, 404, 410, 429, 500, 503, 599])(
  'a %d is a failed attempt like any other',
  (status) => {
    expect(play(10, () => answered(status))).toMatchObject({
      waits: [1, 4, 16, 64, 256],
      outcome: 'failed',
      error: `HTTP ${status}`,
    });
  },
);

test.each(['timeout', 'tls', 'dns', 'refused', 'reset', 'protocol'])('so is %s', (reason) => {
  expect(play(5, () => unanswered(reason))).toMatchObject({
    waits: [1, 4, 16, 64, 256],
    outcome: 'failed',
    error: reason,
  });
});

test('a blocked address fails the delivery at once, at whatever attempt', () => {
  const blockedAt = (n: number) => (attempt: number) =>
    attempt === n ? unanswered('blocked_address') : answered(500);
  expect(play(5, blockedAt(1))).toMatchObject({ waits: [], outcome: 'failed', error: 'blocked_address' });
  expect(play(5, blockedAt(3))).toMatchObject({ waits: [1, 4], outcome: 'failed', error: 'blocked_address' });
});

test('property: as many retries as asked for, at most five, each wait four times the one before within the jitter', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 10 }),
      fc.integer({ min: 1, max: 8 }),
      fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      (maxRetries, succeedsAt, random) => {
        const retries = Math.min(maxRetries, 5);
        const end = play(maxRetries, (attempt) => answered(attempt === succeedsAt ? 200 : 503), random);
        const made = Math.min(succeedsAt - 1, retries);
        expect(end.waits).toHaveLength(made);
        expect(end.outcome).toBe(succeedsAt <= retries + 1 ? 'delivered' : 'failed');
        for (const [n, wait] of end.waits.entries())
          expect(Math.abs(wait - 4 ** n)).toBeLessThanOrEqual(0.1 * 4 ** n + 0.001);
      },
    ),
  );
});
