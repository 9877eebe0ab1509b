/** Where a delivery stands, as far as its attempts decide. */
export interface DeliveryState {
  status: 'pending' | 'delivered' | 'failed';
  /** Raised by each retry or recovery. */
  generation: number;
  /** All that were made, of every generation. */
  attempts: number;
  /** Number of the last attempt of this generation that counted. */
  lastAttempt: number;
  lastAttemptAt: Date | null;
  lastError: string | null;
}

export interface Attempt {
  generation: number;
  /** 1 for the first of a generation. */
  attempt: number;
  outcome: 'delivered' | 'retrying' | 'failed';
  error: string | null;
  attemptedAt: Date;
}

/**
 * The state after an attempt that was not known before. Every attempt is counted; the rest moves only forward: an attempt of
 * an older generation, one that a later one has overtaken, and any that comes after the end changes nothing else.
 */
export function afterAttempt<State extends DeliveryState>(state: State, made: Attempt): State {
  const counted = { ...state, attempts: state.attempts + 1 };
  if (state.status !== 'pending') return counted;
  if (made.generation !== state.generation || made.attempt <= state.lastAttempt) return counted;
  return {
    ...counted,
    status: made.outcome === 'retrying' ? 'pending' : made.outcome,
    lastAttempt: made.attempt,
    lastAttemptAt: made.attemptedAt,
    lastError: made.outcome === 'delivered' ? state.lastError : made.error,
  };
}
