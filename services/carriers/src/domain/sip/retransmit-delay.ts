/** Round-trip estimate and longest retransmission interval (RFC 3261 17.1.2.1). */
export const T1_MS = 500;
export const T2_MS = 4_000;

/**
 * Timer E of a non-INVITE client transaction over UDP (RFC 3261 17.1.2.2): milliseconds from one transmission
 * to the next. T1 first, doubling up to T2; once a provisional answer came, T2.
 */
export function retransmitDelay(previousMs: number | undefined, proceeding: boolean): number {
  if (proceeding) return T2_MS;
  return previousMs === undefined ? T1_MS : Math.min(previousMs * 2, T2_MS);
}
