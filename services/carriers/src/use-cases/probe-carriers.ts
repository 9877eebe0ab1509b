import type { Deps } from '../deps.js';
import { probeTarget } from '../domain/health/probe-target.js';
import { claimDueProbes } from '../storage/carrier-health.js';

/**
 * Claims at most `limit` due probes, no more than there is room for, and starts them; their results are written
 * behind it. Answers how many it claimed.
 */
export async function probeCarriers({ db, config, prober, probes }: Deps, limit: number): Promise<number> {
  const room = Math.min(limit, config.probesInFlight - probes.count);
  if (room <= 0) return 0;
  const periodMs = Math.round(config.healthPeriodSeconds * 1_000);
  const claimed = await claimDueProbes(db, periodMs, room);
  for (const carrier of claimed) {
    const target = probeTarget(carrier);
    if (target) probes.start(carrier, () => prober(target));
  }
  return claimed.length;
}
