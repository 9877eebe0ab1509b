import { headerBlockEnd, headerLines, headerValue, skipLineBreaks } from './header-block.js';

/** What a client transaction reads of a SIP response. */
export interface SipResponse {
  /** 100 to 699 (RFC 3261 7.2). */
  code: number;
  /** The reason phrase without control characters, cut to 100 characters; may be empty. */
  reason: string;
  /** The branch of the topmost Via. */
  branch: string;
  /** The method of the CSeq. */
  method: string;
}

const MAX_REASON_CHARACTERS = 100;

/**
 * Reads one SIP response; undefined for anything else (a request, garbage, no Via branch, no CSeq).
 * Never throws. Compact and folded headers and LF line ends are understood. The body is not looked at: a
 * carrier that miscounts its Content-Length in a datagram is still alive (stricter: RFC 3261 18.3).
 */
export function parseResponse(message: Buffer): SipResponse | undefined {
  const start = skipLineBreaks(message, 0);
  const end = headerBlockEnd(message, start);
  if (end === -1) return undefined;

  const [statusLine = '', ...headers] = headerLines(message.subarray(start, end));
  const status = /^SIP\/2\.0[ \t]+([1-6][0-9]{2})(?:[ \t]+(.*))?$/is.exec(statusLine);
  const branch = topmostBranch(headerValue(headers, 'via', 'v'));
  const method = /^[0-9]+\s+(\S+)$/.exec(headerValue(headers, 'cseq') ?? '')?.[1];
  if (!status || branch === undefined || method === undefined) return undefined;

  return { code: Number(status[1]), reason: cleanReason(status[2] ?? ''), branch, method };
}

/** True when the response belongs to the OPTIONS transaction with this branch (RFC 3261 17.1.3). */
export function answersOptions(response: SipResponse, branch: string): boolean {
  return response.branch === branch && response.method === 'OPTIONS';
}

function topmostBranch(via: string | undefined): string | undefined {
  const [topmost = ''] = (via ?? '').split(',', 1);
  return /;\s*branch\s*=\s*([^\s;]+)/i.exec(topmost)?.[1];
}

/** The phrase is stored and shown: no control characters, and never half a surrogate pair. */
function cleanReason(phrase: string): string {
  const printable = phrase.replace(/\p{Cc}+/gu, ' ').trim();
  return Array.from(printable).slice(0, MAX_REASON_CHARACTERS).join('');
}
