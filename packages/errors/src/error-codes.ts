import type { ErrorKind } from './trunkline-error.js';

/** Every error code of the API (specification, Errors; decisions 2) with its kind and when it is answered. */
export const ERROR_CODES = {
  VALIDATION_FAILED: {
    kind: 'invalid',
    when: 'A field is missing or malformed; `error.details` names each one.',
  },
  INVALID_CREDENTIALS: { kind: 'unauthenticated', when: 'The credentials are missing, malformed or wrong.' },
  FORBIDDEN: {
    kind: 'forbidden',
    when: 'The Auth ID in the path or the tenant is not the one of the API key.',
  },
  ACCOUNT_SUSPENDED: { kind: 'forbidden', when: 'The account is suspended.' },
  NOT_FOUND: { kind: 'not_found', when: 'There is no such record, or it belongs to another account.' },
  TEMPLATE_NOT_FOUND: { kind: 'not_found', when: 'There is no e-mail template with this `template_id`.' },
  CODE_TAKEN: { kind: 'conflict', when: 'Another carrier of the account already has this code.' },
  ROUTE_EXISTS: { kind: 'conflict', when: 'The carrier already has a route with this prefix.' },
  IDEMPOTENCY_IN_PROGRESS: {
    kind: 'conflict',
    when: 'The first request with this Idempotency-Key is still in flight.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    kind: 'unprocessable',
    when: 'This Idempotency-Key was used with another body or path.',
  },
  RATE_LIMITED: { kind: 'rate_limited', when: 'Too many requests; wait as long as `Retry-After` says.' },
  METHOD_NOT_ALLOWED: {
    kind: 'method_not_allowed',
    when: 'The path exists, but not with this method; see `Allow`.',
  },
  PAYLOAD_TOO_LARGE: { kind: 'payload_too_large', when: 'The request body is larger than 1 MiB.' },
  UNSUPPORTED_MEDIA_TYPE: {
    kind: 'unsupported_media_type',
    when: 'The request body is not application/json.',
  },
  NO_CARRIER_AVAILABLE: { kind: 'bad_gateway', when: 'No usable carrier for the destination.' },
  SERVICE_UNAVAILABLE: {
    kind: 'unavailable',
    when: 'A part of the platform is down or slow; wait and retry.',
  },
  INTERNAL_ERROR: { kind: 'internal', when: 'A fault of ours; `error.request_id` helps to find it.' },
} as const satisfies Record<string, { kind: ErrorKind; when: string }>;

export type ErrorCode = keyof typeof ERROR_CODES;
