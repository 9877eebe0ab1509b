import fc from 'fast-check';
import { afterProbe, type HealthState } from './health-state.js';
import type { ProbeOutcome } from './probe-outcome.js';

const thresholds = { unhealthyAfterFailures: 2, degradedAboveMs: 1_000 };
const fast: ProbeOutcome = { kind: 'alive', responseTimeMs: 20 };
const slow: ProbeOutcome = { kind: 'alive', responseTimeMs: 1_500 };
const failed: ProbeOutcome = { kind: 'failed', error: 'timeout' };
const undecided: ProbeOutcome = { kind: 'undecided', error: 'too many open files' };
const outcomes = { fast, slow, failed, undecided };

function run(state: HealthState, given: readonly ProbeOutcome[], limits = thresholds) {
  let now = { ...state, changed: false };
  for (const outcome of given) now = afterProbe(now, outcome, limits);
  return now;
}

describe.each([
  ['unknown', 'fast', 'healthy'],
  ['unknown', 'slow', 'degraded'],
  ['unknown', 'failed', 'unknown'],
  ['unknown', 'failed failed', 'unhealthy'],
  ['unknown', 'failed fast', 'healthy'],
  ['healthy', 'failed', 'healthy'],
  ['healthy', 'failed fast failed', 'healthy'],
  ['healthy', 'failed undecided failed', 'unhealthy'],
  ['healthy', 'undecided undecided undecided', 'healthy'],
  ['healthy', 'slow', 'degraded'],
  ['degraded', 'failed', 'degraded'],
  ['degraded', 'failed failed', 'unhealthy'],
  ['degraded', 'fast', 'healthy'],
  ['unhealthy', 'failed', 'unhealthy'],
  ['unhealthy', 'fast', 'healthy'],
  ['unhealthy', 'slow', 'degraded'],
] as const)('%s, then %s', (from, then, to) => {
  const given = then.split(' ').map((name) => outcomes[name as keyof typeof outcomes]);
  test(`is ${to}`, () => {
    const consecutiveFailures = from === 'unhealthy' ? 2 : 0;
    expect(run({ status: from, consecutiveFailures }, given).status).toBe(to);
  });
});

test('exactly the threshold is not slow yet', () => {
  const state = { status: 'unknown', consecutiveFailures: 0 } as const;
  expect(afterProbe(state, { kind: 'alive', responseTimeMs: 1_000 }, thresholds).status).toBe('healthy');
});

test('any history of probes leads to what reading the history backwards says', () => {
  const step = fc.constantFrom(fast, slow, failed, undecided);
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), fc.integer({ min: 1, max: 4 }), (history, limit) => {
      const limits = { ...thresholds, unhealthyAfterFailures: limit };
      const state = run({ status: 'unknown', consecutiveFailures: 0 }, history, limits);
      expect(state.status).toBe(statusByHistory(history, limit));
    }),
  );
});

test('`changed` says whether the status is another one', () => {
  const step = fc.constantFrom(fast, slow, failed, undecided);
  const status = fc.constantFrom('unknown', 'healthy', 'degraded', 'unhealthy');
  fc.assert(
    fc.property(status, fc.nat(5), step, (from, consecutiveFailures, outcome) => {
      const after = afterProbe({ status: from, consecutiveFailures }, outcome, thresholds);
      expect(after.changed).toBe(after.status !== from);
    }),
  );
});

/** The oracle: what the last decided probes show, and where they show nothing, what held before the last of them. */
function statusByHistory(history: readonly ProbeOutcome[], limit: number): string {
  const decided = history.filter(({ kind }) => kind !== 'undecided');
  const lastSuccess = decided.findLastIndex(({ kind }) => kind === 'alive');
  if (decided.length - 1 - lastSuccess >= limit) return 'unhealthy';
  const success = decided[lastSuccess];
  if (success?.kind !== 'alive') return 'unknown';
  return success.responseTimeMs > thresholds.degradedAboveMs ? 'degraded' : 'healthy';
}
