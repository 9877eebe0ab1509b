import fc from 'fast-check';
import { AUTH_ID, authIdOf, authTokenOf } from './identifiers.js';

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });

test('every Auth ID has the form of the specification', () => {
  fc.assert(fc.property(bytes(4), (random) => AUTH_ID.test(authIdOf(random))));
});

test('every Auth Token is 32 hexadecimal characters and keeps all of its randomness', () => {
  fc.assert(
    fc.property(bytes(16), (random) => {
      const token = authTokenOf(random);
      expect(token).toMatch(/^[0-9a-f]{32}$/);
      expect(Buffer.from(token, 'hex')).toEqual(Buffer.from(random));
    }),
  );
});
