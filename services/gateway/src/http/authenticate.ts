import type { IncomingMessage } from 'node:http';
import { BasicStrategy } from 'passport-http';
import { forbidden, unauthenticated } from '@trunkline/errors';
import { digestOf, matchesDigest } from '@trunkline/secrets';
import type { AccountCaller } from '@trunkline/http';
import type { CachedKey, KeyCache } from '../use-cases/key-cache.js';

const AUTH_ID = /^TJ[0-9A-Fa-f]{8}$/;
/** Compared when the Auth ID is unknown, so that the answer takes as long as for a known one. */
const NO_DIGEST = digestOf('no such key');

type Verified = (error: unknown, caller?: AccountCaller | false) => void;

/** What passport sets on a strategy for each attempt. */
interface Attempt {
  success(caller: AccountCaller): void;
  fail(): void;
  error(error: Error): void;
  authenticate(request: IncomingMessage): void;
}

/**
 * HTTP Basic by passport-http (specification, Authentication), driven directly: the express middleware around it would cost
 * more than the check itself. Calls back at once when the key is cached.
 */
export function createAuthenticate(keys: KeyCache) {
  const strategy = new BasicStrategy(
    { passReqToCallback: true },
    (request: IncomingMessage, authId: string, token: string, done: Verified) => {
      if (!AUTH_ID.test(authId) || !isWellFormed(request, authId, token)) return done(null, false);
      const known = keys.peek(authId);
      if (known) return verify(known.key, token, done);
      keys.find(authId).then((key) => verify(key, token, done), done);
    },
  );

  return (request: IncomingMessage, done: (error: unknown, caller?: AccountCaller) => void): void => {
    const attempt = Object.create(strategy) as Attempt;
    attempt.success = (caller) => done(undefined, caller);
    attempt.fail = () => done(unauthenticated());
    attempt.error = (error) => done(error);
    attempt.authenticate(request);
  };
}

/** passport-http takes any scheme that contains "Basic" and drops what follows a second colon: neither is a valid header. */
function isWellFormed(request: IncomingMessage, authId: string, token: string): boolean {
  const [scheme = '', encoded = '', ...rest] = (request.headers.authorization ?? '').split(' ');
  const length = Buffer.byteLength(encoded, 'base64');
  return rest.length === 0 && scheme.toLowerCase() === 'basic' && length === authId.length + 1 + token.length;
}

function verify(key: CachedKey | undefined, token: string, done: Verified): void {
  const matches = matchesDigest(token, key?.digest ?? NO_DIGEST);
  if (!key || !matches) return done(null, false);
  if (key.suspended)
    return done(forbidden('ACCOUNT_SUSPENDED', 'The account is suspended; contact support.'));
  done(null, key.caller);
}
