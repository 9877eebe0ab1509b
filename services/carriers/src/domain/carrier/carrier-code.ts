/** Lower-case words joined by single hyphens. */
export const CARRIER_CODE = /^[a-z0-9]+(-[a-z0-9]+)*$/;
export const MAX_CODE_LENGTH = 64;

/** Leaves room for the suffix of ten thousand million carriers of one name. */
const STEM_LENGTH = MAX_CODE_LENGTH - 11;

/** The slug of a name in ASCII (decisions 3); `carrier` when nothing of the name can be written in it. */
export function slugOf(name: string): string {
  const ascii = name.normalize('NFKD').toLowerCase().replace(/\p{M}/gu, '');
  const words = ascii.match(/[a-z0-9]+/g) ?? ['carrier'];
  return cut(words.join('-'), MAX_CODE_LENGTH);
}

/** The first of `slug`, `slug-2`, `slug-3`… that is not taken. */
export function freeCode(slug: string, taken: ReadonlySet<string>): string {
  for (let number = 1; ; number++) {
    const code = number === 1 ? slug : `${stemOf(slug)}-${number}`;
    if (!taken.has(code)) return code;
  }
}

/** What every code that `freeCode` may answer begins with. */
export function stemOf(slug: string): string {
  return cut(slug, STEM_LENGTH);
}

function cut(slug: string, length: number): string {
  return slug.slice(0, length).replace(/-$/, '');
}
