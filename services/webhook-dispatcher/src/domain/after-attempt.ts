import { retriesOf, retryDelayMs } from './retry-schedule.js';

/** What came of one POST: an answer of whatever status, or none. */
export type AttemptOutcome =
  | { kind: 'answered'; status: number }
  /** `reason`: `timeout`, `tls`, `dns`, `refused`, `reset`, `blocked_address`… */
  | { kind: 'unanswered'; reason: string };

/** What a delivery becomes. `delivered` and `failed` are final. */
export type AttemptDecision =
  | { outcome: 'delivered'; error: null; nextAttemptAt: null }
  | { outcome: 'failed'; error: string; nextAttemptAt: null }
  | { outcome: 'retrying'; error: string; nextAttemptAt: Date };

/** No later attempt can do better. */
const FINAL_REASONS: ReadonlySet<string> = new Set(['blocked_address']);

/**
 * Decides after an attempt (specification, Retries; decisions 8): anything but a 2xx is a failure.
 * @param delivery `attempts`: those made before this one
 * @param now when this attempt ended
 * @param random from 0 up to, not including, 1
 */
export function afterAttempt(
  { attempts, maxRetries }: { attempts: number; maxRetries: number },
  outcome: AttemptOutcome,
  now: Date,
  random: number,
): AttemptDecision {
  if (outcome.kind === 'answered' && outcome.status >= 200 && outcome.status <= 299)
    return { outcome: 'delivered', error: null, nextAttemptAt: null };
  const error = outcome.kind === 'answered' ? `HTTP ${outcome.status}` : outcome.reason;
  const retry = attempts + 1;
  if (FINAL_REASONS.has(error) || retry > retriesOf(maxRetries))
    return { outcome: 'failed', error, nextAttemptAt: null };
  const nextAttemptAt = new Date(now.getTime() + retryDelayMs(retry, random));
  return { outcome: 'retrying', error, nextAttemptAt };
}
