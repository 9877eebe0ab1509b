import { isLoopbackAddress } from './address-policy.js';
import { canonicalHost } from './resolve-allowed.js';

/** A URL that was read, or why it cannot be used at all. */
export type ParsedUserUrl = { url: URL } | { refusal: string };

/**
 * Why a URL that a user gives is refused when it is stored, as the end of a sentence that starts with the field's
 * name ("must use https"); undefined when it is acceptable. Looks nothing up: the address is judged on every dial.
 *
 * `allowHttpOnLoopback` accepts plain http on `localhost` and on a loopback literal (development).
 */
export function checkUserUrl(
  url: string,
  options: { allowHttpOnLoopback?: boolean } = {},
): string | undefined {
  const parsed = parseUserUrl(url);
  if ('refusal' in parsed) return parsed.refusal;
  if (parsed.url.protocol === 'https:') return undefined;
  return options.allowHttpOnLoopback && isLoopbackHost(parsed.url.hostname) ? undefined : 'must use https';
}

/** Reads an http or https URL without credentials (RFC 3986 §3.2.1: they would end up in logs and in `from` headers). */
export function parseUserUrl(text: string): ParsedUserUrl {
  // The WHATWG parser drops blanks and line breaks silently; a URL has none.
  const url = /[\s\p{Cc}]/u.test(text) ? undefined : urlOf(text);
  if (!url) return { refusal: 'must be an absolute URL' };
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return { refusal: 'must use https' };
  if (url.username !== '' || url.password !== '') {
    return { refusal: 'must not contain a user name or a password' };
  }
  return { url };
}

/** Not `URL.canParse`: once it is optimised, Node 20 denies hosts with letters such as ü. */
function urlOf(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

function isLoopbackHost(hostname: string): boolean {
  const host = canonicalHost(hostname);
  return host === 'localhost' || isLoopbackAddress(host);
}
