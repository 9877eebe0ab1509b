/** How one probe ended. */
export type ProbeOutcome =
  | { kind: 'alive'; responseTimeMs: number }
  | { kind: 'failed'; error: string }
  /** This machine could not probe (no sockets, no memory): no verdict on the carrier. */
  | { kind: 'undecided'; error: string };
