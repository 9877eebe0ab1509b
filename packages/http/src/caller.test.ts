import { createSigner } from 'fast-jwt';
import { createCallerSigner, createCallerVerifier, type AccountCaller } from './caller.js';

const secret = 'a secret of at least thirty-two characters';
const caller: AccountCaller = {
  kind: 'account',
  auth_id: 'TJ0000000A',
  account_id: '00000000-0000-4000-8000-000000000001',
  tenant_id: 'TJ0000000B',
  currency: 'USD',
  billing_mode: 'prepaid',
};
const verify = createCallerVerifier(secret);

afterEach(() => jest.useRealTimers());

test('a signed caller is verified, and verified again', () => {
  const header = createCallerSigner(secret)('a', caller);
  expect(verify(header)).toEqual(caller);
  expect(verify(header)).toEqual(caller);
});

test('a header is signed once in ten seconds, and anew when the caller changes', () => {
  const sign = createCallerSigner(secret);
  const first = sign('a', caller);
  expect(sign('a', caller)).toBe(first);
  expect(sign('a', { ...caller, currency: 'EUR' })).not.toBe(first);
  jest.useFakeTimers({ now: Date.now() + 10_001 });
  expect(sign('a', caller)).not.toBe(first);
});

test('after thirty seconds a header is worthless, also one that was verified before', () => {
  const header = createCallerSigner(secret)('a', caller);
  expect(verify(header)).toEqual(caller);
  jest.useFakeTimers({ now: Date.now() + 31_000 });
  expect(verify(header)).toBeUndefined();
});

test.each([
  ['nothing', undefined],
  ['an empty header', ''],
  ['garbage', 'a.b.c'],
  ['another secret', createCallerSigner('another secret of thirty-two characters')('a', caller)],
  ['no algorithm', createSigner({ algorithm: 'none' })({ caller, iss: 'trunkline-gateway' })],
  [
    'another issuer',
    createSigner({ key: secret, algorithm: 'HS256', iss: 'somebody', expiresIn: 30_000 })({ caller }),
  ],
  [
    'another algorithm',
    createSigner({ key: secret, algorithm: 'HS512', iss: 'trunkline-gateway', expiresIn: 30_000 })({
      caller,
    }),
  ],
])('%s verifies as nobody', (_what, header) => {
  expect(verify(header)).toBeUndefined();
});
