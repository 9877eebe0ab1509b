/** ITU-T E.164: a plus sign, a country code that never starts with 0, at most 15 digits. */
const E164 = /^\+[1-9][0-9]{6,14}$/;

/** RFC 3966 visual separators, and the blanks people type. */
const VISUAL_SEPARATORS = /[\s().-]/g;

/** True for a number that is already in canonical form, such as `+14155550100`. */
export function isE164(text: string): boolean {
  return E164.test(text);
}

/**
 * Brings a dialled number into canonical E.164: `tel:` and visual separators go, a leading `00` is a plus sign.
 * Answers undefined when what remains is not an E.164 number (a national number has no country to belong to).
 */
export function normaliseE164(text: string): string | undefined {
  const digits = text.trim().replace(/^tel:/i, '').replace(VISUAL_SEPARATORS, '').replace(/^00/, '+');
  return isE164(digits) ? digits : undefined;
}
