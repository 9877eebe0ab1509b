import { randomUUID } from 'node:crypto';

export const REQUEST_ID_HEADER = 'x-request-id';

/** At most 128 visible ASCII characters (decisions 2). */
const SANE = /^[\x21-\x7e]{1,128}$/;

/** The caller's own request id when it is a sane one, else a new one. */
export function requestIdFrom(header: string | string[] | undefined): string {
  return typeof header === 'string' && SANE.test(header) ? header : randomUUID();
}
