import net from 'node:net';
import fc from 'fast-check';
import { isSipHost } from './sip-host.js';

test.each([
  'sip.carrier.example',
  'SIP.Carrier.Example',
  'carrier.example.',
  'localhost',
  'xn--bcher-kva.example',
  '1and1.example',
  '203.0.113.7',
  '0.0.0.0',
  '255.255.255.255',
  '2001:db8::7',
  '::1',
  '::ffff:203.0.113.7',
  `${'a'.repeat(63)}.example`,
  `${'a.'.repeat(126)}b`,
])('%p is a host', (host) => {
  expect(isSipHost(host)).toBe(true);
});

test.each([
  '',
  '.',
  'sip.carrier.example:5060',
  'sip:carrier.example',
  'user@carrier.example',
  'carrier.example;transport=tcp',
  'carrier example',
  ' carrier.example',
  'carrier.example\r\nVia: x',
  'carrier.example\n',
  '[2001:db8::7]',
  'fe80::1%eth0',
  '2001:db8:::7',
  '1:2:3:4:5:6:7:8:9',
  '::1.2.3.256',
  '256.1.1.1',
  '01.2.3.4',
  '127.1',
  '5060',
  '1.2.3.4.5',
  '0x7f000001',
  'carrier.example..',
  'a..b',
  '-a.example',
  'a-.example',
  'under_score.example',
  'bücher.example',
  `${'a'.repeat(64)}.example`,
  `${'a.'.repeat(127)}b`,
])('%p is none', (host) => {
  expect(isSipHost(host)).toBe(false);
});

test('it agrees with Node on every address', () => {
  fc.assert(fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (ip) => isSipHost(ip) === net.isIP(ip) > 0));
});

test('nothing that it accepts could start another header or end the URI', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary', maxLength: 20 }),
      (text) => !isSipHost(text) || /^[A-Za-z0-9.:-]+$/.test(text),
    ),
  );
});
