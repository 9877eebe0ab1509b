const MAX_DIGITS = 15;
const RADIX = 11;

/** PLACE[d] is the worth of the digit at place d (0 is the digit after the plus sign). */
const PLACE = Array.from({ length: MAX_DIGITS }, (_, place) => RADIX ** (MAX_DIGITS - 1 - place));

/** The end of a prefix, as `placeOf` reports it. */
export const END = 0;

/**
 * A prefix such as `+4420` as one number: fifteen base-11 places, digit d written as d + 1 and 0 after the end.
 * Numeric order is dictionary order, a prefix sorts just before its extensions, and 11^15 is an exact double.
 * Throws a RangeError when the text is not `^\+[0-9]{0,15}$`.
 */
export function prefixKey(prefix: string): number {
  const digits = prefix.length - 1;
  if (prefix.charCodeAt(0) !== 0x2b || digits > MAX_DIGITS) throw new RangeError(`not a prefix: ${prefix}`);
  let key = 0;
  for (let place = 0; place < digits; place++) {
    const digit = prefix.charCodeAt(place + 1) - 0x30;
    if (!(digit >= 0 && digit <= 9)) throw new RangeError(`not a prefix: ${prefix}`);
    key += (digit + 1) * PLACE[place]!;
  }
  return key;
}

/** What a key has at a place (0 to 15): a digit plus 1, or END. */
export function placeOf(key: number, place: number): number {
  return place === MAX_DIGITS ? END : stemOf(key, place + 1) % RADIX;
}

/** The first `length` places of a key (1 to 15), as a number of their own. */
export function stemOf(key: number, length: number): number {
  return Math.floor(key / PLACE[length - 1]!);
}

/** How many trie nodes the sorted, distinct keys need, the root included: one for each distinct stem. */
export function countStems(keys: Float64Array): number {
  let stems = 1;
  for (let length = 1; length <= MAX_DIGITS; length++) {
    let previous = -1;
    for (const key of keys) {
      const stem = stemOf(key, length);
      if (stem === previous || stem % RADIX === END) continue;
      previous = stem;
      stems++;
    }
  }
  return stems;
}
