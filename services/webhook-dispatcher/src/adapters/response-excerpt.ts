const EXCERPT_BYTES = 1_024;

/** The first bytes of an answer as text that can be stored: at most 1 KiB of UTF-8 without NUL. Null when there are none. */
export function responseExcerpt(body: Buffer): string | null {
  if (body.length === 0) return null;
  const text = body.toString('utf8', 0, EXCERPT_BYTES).replaceAll('\0', '');
  // Each byte that is not UTF-8 became a character of three.
  const bytes = Buffer.from(text);
  if (bytes.length <= EXCERPT_BYTES) return text;
  let end = EXCERPT_BYTES;
  while ((bytes[end]! & 0xc0) === 0x80) end -= 1;
  return bytes.toString('utf8', 0, end);
}
