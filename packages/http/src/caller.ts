import { createSigner, createVerifier } from 'fast-jwt';

/** The account behind a public request, as the gateway authenticated it. */
export interface AccountCaller {
  kind: 'account';
  auth_id: string;
  account_id: string;
  tenant_id: string;
  currency: string;
  billing_mode: 'prepaid' | 'postpaid';
}

/** Who asks. The operator reaches only `/operator/v1`, an account only `/v1`. */
export type Caller = AccountCaller | { kind: 'operator' };

/** Carries the signed caller from the gateway to the service. Never accepted from, nor sent to, the outside. */
export const callerHeader = 'x-trunkline-caller';

/** Short-lived: a leaked header is worthless half a minute later. */
const LIFETIME_MS = 30_000;
const REUSE_MS = 10_000;
const ISSUER = 'trunkline-gateway';
/** Bounds both caches; a platform with more active keys per replica only signs more often. */
const CACHE_SIZE = 10_000;

/** Signs callers (JWT, HS256). A header is reused for ten seconds per caller, so that the hot path signs nothing. */
export function createCallerSigner(secret: string): (cacheKey: string, caller: Caller) => string {
  const sign = createSigner({ key: secret, algorithm: 'HS256', expiresIn: LIFETIME_MS, iss: ISSUER });
  const signed = new Map<string, { caller: Caller; header: string; until: number }>();
  return (cacheKey, caller) => {
    const now = Date.now();
    const known = signed.get(cacheKey);
    if (known && known.caller === caller && known.until > now) return known.header;
    if (signed.size >= CACHE_SIZE) signed.clear();
    const header = sign({ caller });
    signed.set(cacheKey, { caller, header, until: now + REUSE_MS });
    return header;
  };
}

/** Answers the caller of a header, or undefined when it is missing, forged or expired. */
export function createCallerVerifier(secret: string): (header: string | undefined) => Caller | undefined {
  const verify = createVerifier({ key: secret, algorithms: ['HS256'], allowedIss: ISSUER });
  const verified = new Map<string, { caller: Caller; expiresAt: number }>();
  return (header) => {
    if (!header) return undefined;
    const known = verified.get(header);
    if (known) return known.expiresAt > Date.now() ? known.caller : undefined;
    try {
      const { caller, exp } = verify(header) as { caller: Caller; exp: number };
      if (verified.size >= CACHE_SIZE) verified.clear();
      verified.set(header, { caller, expiresAt: exp * 1_000 });
      return caller;
    } catch {
      return undefined;
    }
  };
}
