import { ConnectionError } from '../cli-error.js';

/** An object of an answer. Fields are read one by one, as a newer or older platform may have others. */
export type ApiRecord = Readonly<Record<string, unknown>>;

export function recordOf(body: unknown): ApiRecord {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw unexpected('a record');
  return body as ApiRecord;
}

/** The records of a bare array, or of the `data` of an envelope. */
export function recordsOf(body: unknown): ApiRecord[] {
  const list = Array.isArray(body) ? body : (body as { data?: unknown } | null | undefined)?.data;
  if (!Array.isArray(list)) throw unexpected('a list');
  return list.map(recordOf);
}

export interface Pagination {
  total: number;
  currentPage: number;
  totalPages: number;
}

/** Undefined for a list that comes whole. */
export function paginationOf(body: unknown): Pagination | undefined {
  const pagination = (body as { pagination?: ApiRecord } | null | undefined)?.pagination;
  if (typeof pagination?.total !== 'number') return undefined;
  return {
    total: pagination.total,
    currentPage: Number(pagination.current_page ?? 1),
    totalPages: Number(pagination.total_pages ?? 1),
  };
}

function unexpected(what: string): ConnectionError {
  return new ConnectionError(
    `the answer is not ${what}: are this command line and the platform of one version?`,
  );
}
