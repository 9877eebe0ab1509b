/** What went wrong, in words that no protocol owns; `packages/http` maps each kind to one status. */
export type ErrorKind =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  | 'unprocessable'
  | 'rate_limited'
  | 'method_not_allowed'
  | 'payload_too_large'
  | 'unsupported_media_type'
  | 'bad_gateway'
  | 'unavailable'
  | 'internal';

/** One refused field: its dotted path (`routes.0.prefix`) and what is wrong with it. */
export interface FieldProblem {
  field: string;
  message: string;
}

/** An error that may be shown to the caller as it is: its code and message are part of the API. */
export class TrunklineError extends Error {
  override readonly name = 'TrunklineError';

  constructor(
    readonly kind: ErrorKind,
    readonly code: string,
    message: string,
    readonly extra: { details?: readonly FieldProblem[]; retryAfterSeconds?: number; cause?: unknown } = {},
  ) {
    super(message, extra.cause === undefined ? undefined : { cause: extra.cause });
  }
}

/** A TrunklineError as it travels between services. */
export interface WireError {
  kind: ErrorKind;
  code: string;
  message: string;
  details?: readonly FieldProblem[];
  retry_after_seconds?: number;
}

/** For the wire: anything that is not a TrunklineError becomes INTERNAL_ERROR without its text. */
export function toWire(error: unknown): WireError {
  if (!(error instanceof TrunklineError)) {
    return { kind: 'internal', code: 'INTERNAL_ERROR', message: 'Something went wrong on our side.' };
  }
  const { details, retryAfterSeconds } = error.extra;
  return {
    kind: error.kind,
    code: error.code,
    message: error.message,
    ...(details && { details }),
    ...(retryAfterSeconds !== undefined && { retry_after_seconds: retryAfterSeconds }),
  };
}

export function fromWire(wire: WireError): TrunklineError {
  return new TrunklineError(wire.kind, wire.code, wire.message, {
    ...(wire.details && { details: wire.details }),
    ...(wire.retry_after_seconds !== undefined && { retryAfterSeconds: wire.retry_after_seconds }),
  });
}
