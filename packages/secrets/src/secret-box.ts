import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** Encrypts what must be readable again (carrier passwords, webhook secrets, stored answers). */
export interface SecretBox {
  /** AES-256-GCM under the active key. `context` (such as `carrier:<id>`) is authenticated: a sealed value cannot be moved to another record. */
  seal(plaintext: string, context: string): string;
  /** Opens a value sealed under any known key; throws when the key is unknown or the value was altered. */
  open(sealed: string, context: string): string;
  /** True when the value was sealed under a key that is no longer the active one. */
  needsResealing(sealed: string): boolean;
}

const VERSION = 'v1';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Reads `id:base64,id:base64`: 32-byte keys, the first is the active one, the others only open. Rotate by putting a new key first.
 */
export function parseEncryptionKeys(text: string): Map<string, Buffer> {
  const keys = new Map<string, Buffer>();
  for (const entry of text.split(',')) {
    const [id, encoded] = entry.trim().split(':');
    const key = Buffer.from(encoded ?? '', 'base64');
    if (!id || !/^[A-Za-z0-9_-]{1,32}$/.test(id) || key.length !== 32) {
      throw new Error(
        'ENCRYPTION_KEYS must be "id:base64" pairs, each key 32 bytes (make one: openssl rand -base64 32)',
      );
    }
    if (keys.has(id)) throw new Error(`ENCRYPTION_KEYS names the key "${id}" twice`);
    keys.set(id, key);
  }
  return keys;
}

export function createSecretBox(keys: ReadonlyMap<string, Buffer>): SecretBox {
  const [active] = keys;
  if (!active) throw new Error('At least one encryption key is needed');
  const [activeId, activeKey] = active;

  return {
    seal(plaintext, context) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', activeKey, nonce).setAAD(Buffer.from(context));
      const body = Buffer.concat([
        nonce,
        cipher.update(plaintext, 'utf8'),
        cipher.final(),
        cipher.getAuthTag(),
      ]);
      return `${VERSION}.${activeId}.${body.toString('base64url')}`;
    },
    open(sealed, context) {
      const [version, id, encoded] = sealed.split('.');
      const key = keys.get(id ?? '');
      if (version !== VERSION || !key || !encoded)
        throw new Error(`Cannot open a secret sealed under the key "${id}"`);
      const body = Buffer.from(encoded, 'base64url');
      const decipher = createDecipheriv('aes-256-gcm', key, body.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAAD(Buffer.from(context)).setAuthTag(body.subarray(-TAG_BYTES));
      return (
        decipher.update(body.subarray(NONCE_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
      );
    },
    needsResealing: (sealed) => sealed.split('.')[1] !== activeId,
  };
}
