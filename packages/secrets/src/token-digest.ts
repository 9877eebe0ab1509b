import { createHash, timingSafeEqual } from 'node:crypto';

/**
 * SHA-256 of a random token. Tokens carry 128 random bits, so a slow password hash buys nothing (decisions 1);
 * never use this for anything a person chose.
 */
export function digestOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** Compares in constant time. */
export function matchesDigest(token: string, digest: Uint8Array): boolean {
  const actual = digestOf(token);
  return digest.length === actual.length && timingSafeEqual(actual, digest);
}
