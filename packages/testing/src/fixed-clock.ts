export interface FixedClock {
  (): Date;
  advance(milliseconds: number): void;
}

/** A clock that moves only when told. */
export function fixedClock(start = '2026-01-15T12:00:00.000Z'): FixedClock {
  let now = Date.parse(start);
  return Object.assign(() => new Date(now), {
    advance(milliseconds: number) {
      now += milliseconds;
    },
  });
}
