/** What is known of the failures of a subscription. */
export interface FailingState {
  /** When the first delivery failed since the last one that succeeded. */
  failingSince: Date | null;
  /** It has failed for too long. */
  switchedOff: boolean;
}

/** How a delivery ended. */
export interface Ending {
  outcome: 'delivered' | 'failed';
  at: Date;
}

/** A subscription is switched off by a failure that comes `disableAfterMs` after the first, with no success between them (decisions 8). */
export function afterEnding<State extends FailingState>(
  state: State,
  { outcome, at }: Ending,
  disableAfterMs: number,
): State {
  if (outcome === 'delivered') return { ...state, failingSince: null };
  const failingSince = state.failingSince ?? at;
  const tooLong = at.getTime() - failingSince.getTime() >= disableAfterMs;
  return { ...state, failingSince, switchedOff: state.switchedOff || tooLong };
}
