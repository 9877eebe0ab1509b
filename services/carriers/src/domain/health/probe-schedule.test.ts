import fc from 'fast-check';
import { nextProbeAt, probePhaseMs } from './probe-schedule.js';

const now = fc.integer({ min: Date.UTC(2020, 0), max: Date.UTC(2100, 0) });
const period = fc.integer({ min: 100, max: 3_600_000 });
const id = fc.uuid();

/** The oracle: counts every slot of a short period from the phase on. */
function nextSlotByCounting(carrierId: string, from: number, periodMs: number): number {
  let slot = probePhaseMs(carrierId, periodMs);
  while (slot <= from) slot += periodMs;
  return slot;
}

test('the next probe is the first slot that lies ahead', () => {
  fc.assert(
    fc.property(id, fc.integer({ min: 3_600_000, max: 7_200_000 }), period, (carrierId, at, periodMs) => {
      expect(nextProbeAt(carrierId, at, periodMs)).toBe(nextSlotByCounting(carrierId, at, periodMs));
    }),
  );
});

test('it is at most one period ahead, and always ahead', () => {
  fc.assert(
    fc.property(id, now, period, (carrierId, at, periodMs) => {
      const wait = nextProbeAt(carrierId, at, periodMs) - at;
      expect(wait).toBeGreaterThan(0);
      expect(wait).toBeLessThanOrEqual(periodMs);
    }),
  );
});

test('however late each claim is, the slots stay on one phase: no drift, no catching up', () => {
  const lateness = fc.array(fc.integer({ min: 0, max: 90_000 }), { minLength: 1, maxLength: 100 });
  fc.assert(
    fc.property(id, now, lateness, (carrierId, start, latenesses) => {
      let due = nextProbeAt(carrierId, start, 30_000);
      const phase = due % 30_000;
      for (const late of latenesses) {
        const claimedAt = due + late;
        due = nextProbeAt(carrierId, claimedAt, 30_000);
        expect(due % 30_000).toBe(phase);
        expect(due).toBeGreaterThan(claimedAt);
      }
    }),
  );
});

test.each([
  ['random ids', () => crypto.randomUUID() as string],
  [
    'ids that follow one another',
    (n: number) => `00000000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`,
  ],
])('carriers with %s are spread over the period', (_what, idOf) => {
  const seconds = new Array<number>(30).fill(0);
  for (let n = 0; n < 30_000; n++) seconds[Math.floor(probePhaseMs(idOf(n), 30_000) / 1_000)]! += 1;
  expect(Math.min(...seconds)).toBeGreaterThan(800);
  expect(Math.max(...seconds)).toBeLessThan(1_200);
});
