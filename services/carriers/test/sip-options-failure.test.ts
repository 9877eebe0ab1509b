import { describeFailure } from '../src/adapters/sip-options-failure.js';

const failure = (error: unknown, transport: 'udp' | 'tls' = 'udp') =>
  describeFailure(error, { host: 'sip.carrier.example', transport });

test.each([
  ['ECONNREFUSED', 'connection refused', false],
  ['EHOSTUNREACH', 'host unreachable', false],
  ['ETIMEDOUT', 'timeout', false],
  ['EMFILE', 'too many open files', true],
  ['EADDRNOTAVAIL', 'no local port', true],
  ['EPERM', 'not permitted', true],
])('%s is "%s", our own fault: %p', (code, error, local) => {
  expect(failure(Object.assign(new Error('x'), { code }))).toEqual({ error, local });
  expect(failure(Object.assign(new Error('x'), { code }), 'tls')).toEqual({ error, local });
});

test("what OpenSSL says is shortened to its reason, a verification error to Node's words", () => {
  const message = 'C0:error:0A00010B:SSL routines:ssl3_get_record:wrong version number:../deps/x.c:355:\n';
  const ssl = Object.assign(new Error(message), { code: 'EPROTO', reason: 'wrong version number' });
  expect(failure(ssl, 'tls').error).toBe('TLS: wrong version number');
  const expired = Object.assign(new Error('certificate has expired'), { code: 'CERT_HAS_EXPIRED' });
  expect(failure(expired, 'tls').error).toBe('TLS: certificate has expired');
});

test('anything thrown becomes one short line', () => {
  expect(failure(new Error(`a\n b ${'c'.repeat(500)}`)).error).toHaveLength(120);
  for (const thrown of [undefined, null, 'text', 7, {}]) expect(typeof failure(thrown).error).toBe('string');
});
