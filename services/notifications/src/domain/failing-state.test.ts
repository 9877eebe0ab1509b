import { afterEnding, type Ending, type FailingState } from './failing-state.js';

const DAY = 86_400_000;
const start = Date.parse('2026-11-01T00:00:00.000Z');
const on = (day: number, outcome: Ending['outcome']): Ending => ({
  outcome,
  at: new Date(start + day * DAY),
});
const after = (...endings: Ending[]) =>
  endings.reduce<FailingState>((state, ending) => afterEnding(state, ending, 5 * DAY), {
    failingSince: null,
    switchedOff: false,
  });

test.each<[string, Ending[], number | null, boolean]>([
  ['a first failure begins it', [on(0, 'failed')], 0, false],
  ['failures for less than five days go on', [on(0, 'failed'), on(4.999, 'failed')], 0, false],
  ['the failure on the fifth day ends it', [on(0, 'failed'), on(3, 'failed'), on(5, 'failed')], 0, true],
  ['a success begins anew', [on(0, 'failed'), on(4, 'delivered'), on(6, 'failed')], 6, false],
  ['successes alone leave nothing', [on(0, 'delivered'), on(9, 'delivered')], null, false],
  [
    'once it is off a success does not switch it on',
    [on(0, 'failed'), on(5, 'failed'), on(6, 'delivered')],
    null,
    true,
  ],
])('%s', (_what, endings, sinceDay, switchedOff) => {
  const failingSince = sinceDay === null ? null : new Date(start + sinceDay * DAY);
  expect(after(...endings)).toEqual({ failingSince, switchedOff });
});
