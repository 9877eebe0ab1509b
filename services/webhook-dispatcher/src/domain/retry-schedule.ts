/** Seconds to wait before retries 1 to 5 (specification, Retries 2). */
export const RETRY_WAITS_SECONDS = [1, 4, 16, 64, 256] as const;

/** Each wait is off by at most this part of it, so that what failed together does not come back together. */
const JITTER = 0.1;

/** How many retries a delivery has: `max_retries`, effective up to 5. */
export function retriesOf(maxRetries: number): number {
  return Math.min(Math.max(maxRetries, 0), RETRY_WAITS_SECONDS.length);
}

/**
 * Milliseconds between the end of an attempt and retry number `retry`.
 * @param retry 1 to 5
 * @param random from 0 up to, not including, 1
 */
export function retryDelayMs(retry: number, random: number): number {
  const seconds = RETRY_WAITS_SECONDS[retry - 1];
  if (seconds === undefined) throw new RangeError(`There is no retry ${retry}`);
  return Math.round(seconds * 1_000 * (1 - JITTER + 2 * JITTER * random));
}
