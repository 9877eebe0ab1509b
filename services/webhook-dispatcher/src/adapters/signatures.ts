import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';

const STANDARD_PREFIX = 'whsec_';
const BASE64 =
  /^(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$|^[A-Za-z0-9+/]{2}==$|^[A-Za-z0-9+/]{3}=$/;

/** What signs: the keys that the two schemes make of one secret. */
export interface SigningKeys {
  brand: KeyObject;
  standard: KeyObject;
}

/** The brand's key is the whole secret in UTF-8, as Stripe's. */
export function signingKeys(secret: string): SigningKeys {
  return { brand: createSecretKey(Buffer.from(secret)), standard: createSecretKey(standardKey(secret)) };
}

/** `X-<Brand>-Signature`: `t=<unix seconds>,v1=<hex>` with a `v1` for each secret. */
export function brandSignature(body: Buffer, seconds: number, keys: readonly SigningKeys[]): string {
  let signature = `t=${seconds}`;
  for (const { brand } of keys)
    signature += `,v1=${createHmac('sha256', brand).update(`${seconds}.`).update(body).digest('hex')}`;
  return signature;
}

/** `webhook-signature` of Standard Webhooks: `v1,<base64>` for each secret, newest first, between blanks. */
export function standardSignature(
  body: Buffer,
  { id, seconds }: { id: string; seconds: number },
  keys: readonly SigningKeys[],
): string {
  return keys
    .map(({ standard }) => {
      const hmac = createHmac('sha256', standard).update(`${id}.${seconds}.`).update(body);
      return `v1,${hmac.digest('base64')}`;
    })
    .join(' ');
}

/**
 * The key that the Standard Webhooks libraries make of a secret: what its Base64, behind an optional `whsec_`, stands
 * for. Of a secret they refuse for not being Base64, its UTF-8 bytes: receivers give these to the library as a raw key.
 */
function standardKey(secret: string): Buffer {
  const encoded = secret.startsWith(STANDARD_PREFIX) ? secret.slice(STANDARD_PREFIX.length) : secret;
  return BASE64.test(encoded) ? Buffer.from(encoded, 'base64') : Buffer.from(secret);
}
