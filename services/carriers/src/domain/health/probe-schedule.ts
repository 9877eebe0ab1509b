/** 2^32 over the golden ratio, made odd: ids that follow one another get phases far apart. */
const SPREAD = 0x9e3779b1;

/**
 * Where in the period a carrier's probes lie, in milliseconds: fixed by its id, so that carriers created, edited or
 * enabled together are probed apart, and nothing has to be kept for it.
 */
export function probePhaseMs(carrierId: string, periodMs: number): number {
  const tail = Number.parseInt(carrierId.slice(-7), 16);
  return (Math.imul(tail, SPREAD) >>> 0) % periodMs;
}

/**
 * When a carrier that is claimed now is probed next: the first moment of its phase that lies ahead. A late claim moves
 * nothing (no drift), and periods that passed unseen are skipped, not made up for. Both times are Unix milliseconds.
 * `claimDueProbes` (storage/carrier-health.ts) is the same in SQL, and a test holds them together.
 */
export function nextProbeAt(carrierId: string, now: number, periodMs: number): number {
  return now - ((now - probePhaseMs(carrierId, periodMs)) % periodMs) + periodMs;
}
