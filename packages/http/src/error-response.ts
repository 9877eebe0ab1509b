import type { ServerResponse } from 'node:http';
import { toWire, TrunklineError, type ErrorKind } from '@trunkline/errors';

const STATUS: Record<ErrorKind, number> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  unprocessable: 422,
  rate_limited: 429,
  internal: 500,
  bad_gateway: 502,
  unavailable: 503,
};

/** The one place where an error kind becomes an HTTP status. */
export function statusOf(kind: ErrorKind): number {
  return STATUS[kind];
}

/** Answers `{"error": {code, message, details?, request_id}}` (decisions 2); a fault of ours shows nothing of itself. */
export function sendError(response: ServerResponse, error: unknown, requestId: string): number {
  const { kind, code, message, details, retry_after_seconds: retryAfter } = toWire(error);
  const status = STATUS[kind];
  const body = JSON.stringify({
    error: { code, message, ...(details && { details }), request_id: requestId },
  });
  if (retryAfter !== undefined) response.setHeader('Retry-After', String(Math.max(1, Math.ceil(retryAfter))));
  if (kind === 'unauthenticated' && !response.hasHeader('WWW-Authenticate')) {
    response.setHeader('WWW-Authenticate', 'Basic realm="Trunkline", charset="UTF-8"');
  }
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
  });
  response.end(body);
  return status;
}

/** True for an error the caller has to mend: it is never logged as an error of ours. */
export function isRefusal(error: unknown): error is TrunklineError {
  return error instanceof TrunklineError && STATUS[error.kind] < 500;
}
