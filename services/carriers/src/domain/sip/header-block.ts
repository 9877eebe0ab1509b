const LF = 0x0a;
const CR = 0x0d;

/** Index of the first byte from `from` that is not a line break: blank lines before a start-line are ignored (RFC 3261 7.5). */
export function skipLineBreaks(bytes: Buffer, from: number): number {
  let index = from;
  while (bytes[index] === CR || bytes[index] === LF) index++;
  return index;
}

/**
 * Index just after the empty line that ends the header block (RFC 3261 7), or -1 when it has not come.
 * Lines may end in CRLF or, as some equipment sends them, in LF alone.
 */
export function headerBlockEnd(bytes: Buffer, from: number): number {
  for (let lf = bytes.indexOf(LF, from); lf !== -1; lf = bytes.indexOf(LF, lf + 1)) {
    if (bytes[lf + 1] === LF) return lf + 2;
    if (bytes[lf + 1] === CR && bytes[lf + 2] === LF) return lf + 3;
  }
  return -1;
}

/** The lines of a header block, start-line first, folded lines joined by one space (RFC 3261 7.3.1). */
export function headerLines(block: Buffer): string[] {
  return block
    .toString('utf8')
    .replace(/\r?\n[ \t]+/g, ' ')
    .split(/\r?\n/);
}

/** The first value of a header by its full or its compact name (RFC 3261 7.3.3), case-insensitively. */
export function headerValue(
  lines: readonly string[],
  name: string,
  compactName?: string,
): string | undefined {
  for (const line of lines) {
    const colon = line.indexOf(':');
    if (colon === -1) continue;
    const candidate = line.slice(0, colon).trim().toLowerCase();
    if (candidate === name || candidate === compactName) return line.slice(colon + 1).trim();
  }
  return undefined;
}
