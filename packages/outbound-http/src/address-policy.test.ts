import fc from 'fast-check';
import { createAddressPolicy, isLoopbackAddress } from './address-policy.js';

const policy = createAddressPolicy();

/** IANA IPv4 special-purpose registry (RFC 6890) and multicast, written out again on purpose. */
const REFUSED_V4: [name: string, network: string, bits: number][] = [
  ['this network', '0.0.0.0', 8],
  ['private', '10.0.0.0', 8],
  ['CGNAT', '100.64.0.0', 10],
  ['loopback', '127.0.0.0', 8],
  ['link-local', '169.254.0.0', 16],
  ['private', '172.16.0.0', 12],
  ['protocol assignments', '192.0.0.0', 24],
  ['documentation', '192.0.2.0', 24],
  ['6to4 relay', '192.88.99.0', 24],
  ['private', '192.168.0.0', 16],
  ['benchmarking', '198.18.0.0', 15],
  ['documentation', '198.51.100.0', 24],
  ['documentation', '203.0.113.0', 24],
  ['multicast', '224.0.0.0', 4],
  ['reserved', '240.0.0.0', 4],
];

const toNumber = (ip: string) => ip.split('.').reduce((sum, octet) => sum * 256 + Number(octet), 0);
const toText = (n: number) => [24, 16, 8, 0].map((shift) => (n >>> shift) & 255).join('.');
const toHex = (n: number) => `${(n >>> 16).toString(16)}:${(n & 0xffff).toString(16)}`;
const inRange = ([, network, bits]: (typeof REFUSED_V4)[number]) =>
  fc.integer({ min: toNumber(network), max: toNumber(network) + 2 ** (32 - bits) - 1 });

describe.each(REFUSED_V4)('%s %s/%i', (...range) => {
  test('every address is refused, plain and embedded in IPv6', () => {
    fc.assert(
      fc.property(inRange(range), (n) => {
        for (const ip of [
          toText(n),
          `::ffff:${toText(n)}`,
          `::ffff:${toHex(n)}`,
          `0:0:0:0:0:FFFF:${toHex(n)}`,
          `::${toText(n)}`,
          `::ffff:0:${toText(n)}`,
          `64:ff9b::${toText(n)}`,
          `64:ff9b:1::${toHex(n)}`,
          `2002:${toHex(n)}::1`,
        ]) {
          expect([ip, policy.isAllowed(ip)]).toEqual([ip, false]);
        }
      }),
    );
  });

  test('the addresses at both ends are refused', () => {
    const first = toNumber(range[1]);
    expect(policy.isAllowed(toText(first))).toBe(false);
    expect(policy.isAllowed(toText(first + 2 ** (32 - range[2]) - 1))).toBe(false);
  });
});

test('an IPv4 address is judged the same way plain and IPv4-mapped', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 32 - 1 }), (n) => {
      expect(policy.isAllowed(`::ffff:${toHex(n)}`)).toBe(policy.isAllowed(toText(n)));
    }),
  );
});

test('outside the global unicast space every IPv6 address is refused', () => {
  const group = fc.integer({ min: 0, max: 0xffff });
  fc.assert(
    fc.property(fc.array(group, { minLength: 8, maxLength: 8 }), (groups) => {
      fc.pre((groups[0] ?? 0) >>> 13 !== 1);
      fc.pre(!(groups.slice(0, 5).every((g) => g === 0) && groups[5] === 0xffff));
      expect(policy.isAllowed(groups.map((g) => g.toString(16)).join(':'))).toBe(false);
    }),
  );
});

test.each([
  '8.8.8.8',
  '1.1.1.1',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '128.0.0.0',
  '172.15.255.255',
  '172.32.0.0',
  '192.167.255.255',
  '198.17.255.255',
  '223.255.255.255',
  '2606:4700:4700::1111',
  '2a00:1450:4001:80b::200e',
  '::ffff:8.8.8.8',
])('the public address %s is allowed', (ip) => {
  expect(policy.isAllowed(ip)).toBe(true);
});

test.each([
  ['AWS, Azure, Google metadata', '169.254.169.254'],
  ['AWS metadata over IPv6', 'fd00:ec2::254'],
  ['Azure WireServer, which is on a public address', '168.63.129.16'],
  ['Alibaba metadata', '100.100.100.200'],
  ['Oracle metadata', '192.0.0.192'],
  ['IPv6 loopback', '::1'],
  ['IPv6 unspecified', '::'],
  ['unique local', 'fc00::1'],
  ['link-local', 'fe80::1'],
  ['site-local', 'fec0::1'],
  ['multicast', 'ff02::1'],
  ['documentation', '2001:db8::1'],
  ['benchmarking', '2001:2::1'],
  ['Teredo', '2001:0:4136:e378:8000:63bf:3fff:fdd2'],
  ['6to4', '2002:7f00:1::'],
  ['NAT64 of a public address', '64:ff9b::808:808'],
  ['broadcast', '255.255.255.255'],
  ['a zone', '2606:4700::1%eth0'],
])('%s (%s) is refused', (_name, ip) => {
  expect(policy.isAllowed(ip)).toBe(false);
});

test.each([
  '',
  'example.com',
  '2130706433',
  '0x8080808',
  '010.8.8.8',
  '8.8',
  '[2606:4700::1]',
  '8.8.8.8.',
  ' 8.8.8.8',
])('the text %p is not an address and is refused, even when everything is opened', (text) => {
  expect(policy.isAllowed(text)).toBe(false);
  expect(createAddressPolicy({ allowCidrs: ['0.0.0.0/0', '::/0'] }).isAllowed(text)).toBe(false);
});

test('allowCidrs opens its ranges and nothing beside them', () => {
  const opened = createAddressPolicy({ allowCidrs: ['10.20.0.0/16', 'fd00:1::/32'] });
  expect(opened.isAllowed('10.20.255.255')).toBe(true);
  expect(opened.isAllowed('::ffff:10.20.0.1')).toBe(true);
  expect(opened.isAllowed('fd00:1::5')).toBe(true);
  expect(opened.isAllowed('10.21.0.0')).toBe(false);
  expect(opened.isAllowed('fd00:2::5')).toBe(false);
  expect(opened.isAllowed('127.0.0.1')).toBe(false);
});

test('allowLoopback opens 127.0.0.0/8 and ::1 and nothing beside them', () => {
  const opened = createAddressPolicy({ allowLoopback: true });
  for (const ip of ['127.0.0.1', '127.255.255.254', '::1', '::ffff:127.0.0.1']) {
    expect([ip, opened.isAllowed(ip)]).toEqual([ip, true]);
  }
  for (const ip of ['0.0.0.0', '::', '10.0.0.1', '169.254.169.254', '64:ff9b::7f00:1']) {
    expect([ip, opened.isAllowed(ip)]).toEqual([ip, false]);
  }
});

test.each([
  '10.0.0.0',
  '10.0.0.0/33',
  '10.0.0.0/-1',
  '10.0.0.0/',
  '10.0.0/8',
  '010.0.0.0/8',
  'fd00::/129',
  'fd00::/8/8',
  'example.com/8',
  '',
])('the malformed range %p is refused at construction and named', (cidr) => {
  expect(() => createAddressPolicy({ allowCidrs: ['10.0.0.0/8', cidr] })).toThrow(`"${cidr}"`);
});

test('loopback is recognised in every literal form', () => {
  expect(['127.0.0.1', '127.9.9.9', '::1', '::ffff:7f00:1'].every(isLoopbackAddress)).toBe(true);
  expect(['128.0.0.1', '::2', '0.0.0.0', 'localhost'].some(isLoopbackAddress)).toBe(false);
});
