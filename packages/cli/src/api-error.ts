export interface FieldDetail {
  field: string;
  message: string;
}

/** An error answer of the API: `{"error": {code, message, details?, request_id?}}`. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly details: readonly FieldDetail[],
    readonly requestId: string | undefined,
    /** What to do about it, where the client knows. */
    readonly hint: string | undefined,
  ) {
    super(message);
  }
}

/** Undefined when the body is not an error of this API. */
export function readErrorBody(
  body: unknown,
): Pick<ApiError, 'code' | 'message' | 'details' | 'requestId'> | undefined {
  const error = (body as { error?: Record<string, unknown> } | null | undefined)?.error;
  if (typeof error?.code !== 'string') return undefined;
  const details = Array.isArray(error.details) ? error.details : [];
  return {
    code: error.code,
    message: typeof error.message === 'string' ? error.message : '',
    details: details.map((detail: Partial<FieldDetail> | null) => ({
      field: String(detail?.field ?? ''),
      message: String(detail?.message ?? ''),
    })),
    requestId: typeof error.request_id === 'string' ? error.request_id : undefined,
  };
}
