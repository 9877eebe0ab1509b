/** Cuts a list, in order, into parts of at most `maxCount` items and, unless a single item is longer, `maxBytes`. */
export function splitBySize<T>(
  items: readonly T[],
  bytesOf: (item: T) => number,
  { maxCount, maxBytes }: { maxCount: number; maxBytes: number },
): T[][] {
  const parts: T[][] = [];
  let part: T[] = [];
  let bytes = 0;
  for (const item of items) {
    const size = bytesOf(item);
    if (part.length > 0 && (part.length >= maxCount || bytes + size > maxBytes)) {
      parts.push(part);
      part = [];
      bytes = 0;
    }
    part.push(item);
    bytes += size;
  }
  if (part.length > 0) parts.push(part);
  return parts;
}
