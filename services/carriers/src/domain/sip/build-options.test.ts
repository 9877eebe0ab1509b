import fc from 'fast-check';
import { buildOptions, type OptionsRequest } from './build-options.js';

const request: OptionsRequest = {
  host: 'sip.carrier.example',
  port: 5060,
  transport: 'udp',
  localAddress: '192.0.2.7',
  localPort: 40_000,
  branch: 'z9hG4bKabc',
  tag: 'tag1',
  callId: 'call1',
  userAgent: 'Trunkline health check',
};

test('an OPTIONS over UDP has every header RFC 3261 8.1.1 asks for', () => {
  expect(buildOptions(request).split('\r\n')).toEqual([
    'OPTIONS sip:sip.carrier.example:5060 SIP/2.0',
    'Via: SIP/2.0/UDP 192.0.2.7:40000;branch=z9hG4bKabc;rport',
    'Max-Forwards: 70',
    'From: <sip:ping@192.0.2.7:40000>;tag=tag1',
    'To: <sip:sip.carrier.example:5060>',
    'Call-ID: call1',
    'CSeq: 1 OPTIONS',
    'Contact: <sip:ping@192.0.2.7:40000>',
    'Accept: application/sdp',
    'User-Agent: Trunkline health check',
    'Content-Length: 0',
    '',
    '',
  ]);
});

test.each([
  ['tcp', 'TCP'],
  ['tls', 'TLS'],
] as const)('over %s the URIs and the Via name the transport', (transport, inVia) => {
  const text = buildOptions({ ...request, transport });
  expect(text).toContain(`OPTIONS sip:sip.carrier.example:5060;transport=${transport} SIP/2.0\r\n`);
  expect(text).toContain(`Via: SIP/2.0/${inVia} 192.0.2.7:40000;`);
  expect(text).toContain(`Contact: <sip:ping@192.0.2.7:40000;transport=${transport}>`);
});

test.each(['2001:db8::5', '[2001:db8::5]'])('the IPv6 literal %s is bracketed once', (host) => {
  const text = buildOptions({ ...request, host, localAddress: 'fe80::1%eth0' });
  expect(text).toContain('OPTIONS sip:[2001:db8::5]:5060 SIP/2.0\r\n');
  expect(text).toContain('To: <sip:[2001:db8::5]:5060>');
  expect(text).toContain('Via: SIP/2.0/UDP [fe80::1]:40000;');
});

test.each([
  { host: 'a b' },
  { host: 'evil.example\r\nX: y' },
  { host: '' },
  { userAgent: 'a\r\nX: y' },
  { callId: 'a\nb' },
  { localAddress: '' },
])('%j is refused', (change) => {
  expect(() => buildOptions({ ...request, ...change })).toThrow(RangeError);
});

test('no host and no user agent can add a line', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (host, userAgent) => {
      let text: string;
      try {
        text = buildOptions({ ...request, host, userAgent });
      } catch (error) {
        return error instanceof RangeError;
      }
      return text.split(/\r|\n/).length === 25;
    }),
  );
});
