/** Seconds before an e-mail is tried again that the provider could not take: it is away, or it told us to wait. */
const WAITS = [5, 30, 120, 600, 1_800, 3_600, 7_200, 14_400];

/**
 * Milliseconds to wait after the attempt of this number (1 is the first), with up to 10 % more; undefined when it was the last.
 * @param random from 0 up to 1
 */
export function sendRetryDelay(attempt: number, random: number): number | undefined {
  const seconds = WAITS[attempt - 1];
  return seconds === undefined ? undefined : Math.round(seconds * 1_000 * (1 + 0.1 * random));
}
