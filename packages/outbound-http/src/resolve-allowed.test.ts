import { createAddressPolicy } from './address-policy.js';
import { BlockedAddressError, DnsError, resolveAllowed } from './resolve-allowed.js';

const policy = createAddressPolicy();
const answers =
  (...addresses: string[]) =>
  () =>
    Promise.resolve(addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })));

test.each([
  ['8.8.8.8', { address: '8.8.8.8', family: 4 }],
  ['8.8.8.8.', { address: '8.8.8.8', family: 4 }],
  ['[2606:4700::1]', { address: '2606:4700::1', family: 6 }],
  ['2606:4700::1', { address: '2606:4700::1', family: 6 }],
  ['[::ffff:8.8.8.8]', { address: '8.8.8.8', family: 4 }],
])('the literal %s is dialled without a look-up', async (host, dialled) => {
  const resolve = () => Promise.reject(new Error('must not be asked'));
  await expect(resolveAllowed(host, policy, { resolve })).resolves.toEqual(dialled);
});

test('the first of several allowed addresses is dialled', async () => {
  const resolve = answers('8.8.4.4', '8.8.8.8');
  await expect(resolveAllowed('sip.example', policy, { resolve })).resolves.toEqual({
    address: '8.8.4.4',
    family: 4,
  });
});

test.each([
  ['a loopback address', ['127.0.0.1']],
  ['a public and a private address', ['8.8.8.8', '10.0.0.1']],
  ['an IPv4-mapped loopback address', ['::ffff:127.0.0.1']],
  ['something that is not an address', ['8.8.8.8', 'localhost']],
])('a name with %s is refused', async (_name, addresses) => {
  const attempt = resolveAllowed('sip.example', policy, { resolve: answers(...addresses) });
  await expect(attempt).rejects.toThrow(BlockedAddressError);
});

test('the message of a refusal does not tell the inner address, the error does', async () => {
  const error = await resolveAllowed('sip.example.', policy, { resolve: answers('10.1.2.3') }).catch(
    (caught: unknown) => caught,
  );
  expect(error).toMatchObject({ message: 'sip.example is not a public address', address: '10.1.2.3' });
});

// Through the system's resolver: these are spellings that getaddrinfo reads as addresses.
test.each([
  'localhost',
  'localhost.',
  '127.0.0.1',
  '127.0.0.1.',
  '127.1',
  '2130706433',
  '0x7f000001',
  '0177.0.0.1',
])('the loopback spelling %s is refused', async (host) => {
  await expect(resolveAllowed(host, policy)).rejects.toThrow(BlockedAddressError);
});

test.each([
  '１２７.０.０.１',
  '[::1]',
  '[::ffff:127.0.0.1]',
  '::ffff:7f00:1',
  '[64:ff9b::7f00:1]',
  '0.0.0.0',
  '0',
  '::',
])('the spelling %s gives no address', async (host) => {
  const attempt = resolveAllowed(host, policy).catch((error: unknown) => error);
  // Whether the resolver reads the odd ones is the platform's; that nothing comes back is ours.
  expect([BlockedAddressError, DnsError]).toContain((await attempt)?.constructor);
});

test.each([
  ['no address', () => Promise.resolve([])],
  ['an error', () => Promise.reject(new Error('ENOTFOUND'))],
])('a look-up that gives %s is a DnsError', async (_name, resolve) => {
  await expect(resolveAllowed('sip.example', policy, { resolve })).rejects.toThrow(DnsError);
});

test('a name that cannot exist is a DnsError', async () => {
  await expect(resolveAllowed('', policy)).rejects.toThrow(DnsError);
  await expect(resolveAllowed('nul\0.example', policy)).rejects.toThrow(DnsError);
});
