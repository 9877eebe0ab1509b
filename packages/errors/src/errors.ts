import type { ErrorCode } from './error-codes.js';
import { TrunklineError, type FieldProblem } from './trunkline-error.js';

/** 400 VALIDATION_FAILED: names every refused field. */
export function invalid(details: readonly FieldProblem[]): TrunklineError {
  const message = details.map((problem) => problem.message).join('; ');
  return new TrunklineError('invalid', 'VALIDATION_FAILED', message, { details });
}

/** 401 INVALID_CREDENTIALS; never says which half was wrong. */
export function unauthenticated(message = 'The Auth ID or Auth Token is missing or wrong.'): TrunklineError {
  return new TrunklineError('unauthenticated', 'INVALID_CREDENTIALS', message);
}

export function forbidden(
  code: Extract<ErrorCode, 'FORBIDDEN' | 'ACCOUNT_SUSPENDED'>,
  message: string,
): TrunklineError {
  return new TrunklineError('forbidden', code, message);
}

/** 404: the record is missing or belongs to somebody else; the answer is the same for both. */
export function notFound(what: string, code: ErrorCode = 'NOT_FOUND'): TrunklineError {
  return new TrunklineError('not_found', code, `There is no such ${what}.`);
}

export function conflict(code: ErrorCode, message: string, retryAfterSeconds?: number): TrunklineError {
  return new TrunklineError(
    'conflict',
    code,
    message,
    retryAfterSeconds === undefined ? {} : { retryAfterSeconds },
  );
}

export function unprocessable(code: ErrorCode, message: string): TrunklineError {
  return new TrunklineError('unprocessable', code, message);
}

export function rateLimited(retryAfterSeconds: number, message = 'Too many requests.'): TrunklineError {
  return new TrunklineError('rate_limited', 'RATE_LIMITED', message, { retryAfterSeconds });
}

export function badGateway(code: ErrorCode, message: string): TrunklineError {
  return new TrunklineError('bad_gateway', code, message);
}

/** 503: a dependency is down or slow; the caller may retry. */
export function unavailable(what: string, cause?: unknown): TrunklineError {
  return new TrunklineError(
    'unavailable',
    'SERVICE_UNAVAILABLE',
    `${what} is not available right now; retry shortly.`,
    {
      retryAfterSeconds: 1,
      ...(cause !== undefined && { cause }),
    },
  );
}
