import { headerBlockEnd, headerLines, headerValue, skipLineBreaks } from './header-block.js';

/** The largest message accepted from a stream; an OPTIONS answer has 500 to 2,000 bytes. */
export const MAX_MESSAGE_BYTES = 64 * 1024;

export interface SplitStream {
  /** The complete messages, header block and body, in the order they came. */
  messages: Buffer[];
  /** The bytes of a message that is not complete yet: prepend them to what comes next. */
  rest: Buffer;
  /** True when the next message is, or declares itself, larger than MAX_MESSAGE_BYTES: give the stream up. */
  tooLarge: boolean;
}

/**
 * Cuts what came over TCP or TLS into SIP messages by their Content-Length (RFC 3261 18.3). Line breaks
 * between messages are keep-alives and dropped (RFC 3261 7.5, RFC 5626 4.4.1). A missing or unreadable
 * Content-Length counts as 0, though a stream requires one (RFC 3261 20.14).
 */
export function splitStream(received: Buffer): SplitStream {
  const messages: Buffer[] = [];
  for (let at = 0; ;) {
    const start = skipLineBreaks(received, at);
    const headersEnd = headerBlockEnd(received, start);
    const end =
      headersEnd === -1 ? received.length : headersEnd + contentLength(received.subarray(start, headersEnd));
    const tooLarge = end - start > MAX_MESSAGE_BYTES;
    if (tooLarge || headersEnd === -1 || end > received.length) {
      return { messages, rest: received.subarray(start), tooLarge };
    }
    messages.push(received.subarray(start, end));
    at = end;
  }
}

function contentLength(headerBlock: Buffer): number {
  const value = headerValue(headerLines(headerBlock), 'content-length', 'l') ?? '';
  return /^[0-9]+$/.test(value) ? Number(value) : 0;
}
