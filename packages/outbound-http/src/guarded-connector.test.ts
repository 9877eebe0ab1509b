import os from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { startReceiver, testCertificate, type Receiver } from '../test/receiver.js';
import { createAddressPolicy, type AddressPolicy } from './address-policy.js';
import { createOutboundHttp, type OutboundHttp, type OutboundHttpOptions } from './outbound-http.js';

const clients: OutboundHttp[] = [];
const receivers: Receiver[] = [];
const listen = async (...args: Parameters<typeof startReceiver>) => {
  const receiver = await startReceiver(...args);
  receivers.push(receiver);
  return receiver;
};

afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
  await Promise.all(receivers.splice(0).map((receiver) => receiver.close()));
});

function get(url: string, options: Partial<OutboundHttpOptions> & { policy: AddressPolicy }) {
  const client = createOutboundHttp({ allowHttpOnLoopback: true, ca: testCertificate, ...options });
  clients.push(client);
  return client.request({ url, method: 'GET', deadlineMs: 2_000, maxBodyBytes: 1_000 });
}

const ownAddresses = Object.values(os.networkInterfaces())
  .flatMap((found) => found ?? [])
  .filter((found) => !found.internal && found.family === 'IPv4')
  .map((found) => found.address);

/** What the permissive control opens: loopback, and the addresses that Linux also takes for this machine. */
const permissive = createAddressPolicy({
  allowLoopback: true,
  allowCidrs: ['0.0.0.0/8', ...ownAddresses.map((ip) => `${ip}/32`)],
});
const resolve = (host: string) =>
  Promise.resolve([{ address: host === 'six.example' ? '::1' : '127.0.0.1', family: 4 }]);

const REACHABLE = [
  '127.0.0.1',
  '2130706433',
  '0x7f000001',
  '0x7f.1',
  '0177.0.0.1',
  '017700000001',
  '127.1',
  '127.0.1',
  '127.0.0.1.',
  '１２７.０.０.１',
  '%31%32%37.0.0.1',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[0:0:0:0:0:ffff:7f00:0001]',
  'receiver.example',
  'six.example',
];
/** The operating system answers these on loopback, but https is needed: they are not loopback addresses. */
const REACHABLE_BY_HTTPS = ['0.0.0.0', '0'];
const SYSTEM_NAMES = ['localhost', 'localhost.', 'LOCALHOST', 'ｌｏｃａｌｈｏｓｔ'];
const ALWAYS_REFUSED = [
  '[64:ff9b::7f00:1]',
  '[64:ff9b:1::7f00:1]',
  '[2002:7f00:1::]',
  '[::127.0.0.1]',
  '[::]',
];

// A machine without IPv6 cannot run the controls that dial ::1.
const hasIpv6 = Object.values(os.networkInterfaces()).some((found) =>
  found?.some(({ address }) => address === '::1'),
);
const isReachableHere = (host: string) =>
  hasIpv6 || !['[::1]', '[0:0:0:0:0:0:0:1]', 'six.example'].includes(host);

describe.each(['http', 'https'] as const)('over %s', (scheme) => {
  const spellings = [
    ...REACHABLE,
    ...SYSTEM_NAMES,
    ...ALWAYS_REFUSED,
    ...REACHABLE_BY_HTTPS,
    ...ownAddresses,
  ];

  test.each(spellings)('nothing reaches a listener of this machine as %s', async (host) => {
    const receiver = await listen({ scheme });
    const outcome = await get(`${scheme}://${host}:${receiver.port}/`, {
      policy: createAddressPolicy(),
      ...(SYSTEM_NAMES.includes(host) ? {} : { resolve }),
    });
    await sleep(20);

    expect(outcome).toMatchObject({ ok: false, reason: 'blocked_address' });
    expect([receiver.connections, receiver.bytesReceived]).toEqual([0, 0]);
  });

  test.each([...REACHABLE, ...SYSTEM_NAMES].filter(isReachableHere))(
    'control: with loopback allowed, %s reaches it',
    async (host) => {
      const receiver = await listen({ scheme });
      const url = `${scheme}://${host}:${receiver.port}/`;
      const outcome = await get(url, {
        policy: permissive,
        ...(SYSTEM_NAMES.includes(host) ? {} : { resolve }),
      });

      // The certificate does not have the name six.example; the connection is what counts.
      if (!(scheme === 'https' && host === 'six.example'))
        expect(outcome).toMatchObject({ ok: true, status: 200 });
      expect(receiver.connections).toBe(1);
    },
  );
});

test.each([...(process.platform === 'linux' ? REACHABLE_BY_HTTPS : []), ...ownAddresses])(
  'control: with its range allowed, %s reaches the listener over https',
  async (host) => {
    const receiver = await listen({ scheme: 'https' });
    await get(`https://${host}:${receiver.port}/`, { policy: permissive });
    expect(receiver.connections).toBe(1);
  },
);

test('plain http to an allowed address that is not loopback is refused before it is dialled', async () => {
  const receiver = await listen({ scheme: 'http' });
  const outcome = await get(`http://0.0.0.0:${receiver.port}/`, { policy: permissive });
  await sleep(20);

  expect(outcome).toMatchObject({ ok: false, reason: 'insecure_url' });
  expect(receiver.connections).toBe(0);
});

test('plain http is refused even on loopback unless it is allowed', async () => {
  const receiver = await listen({ scheme: 'http' });
  const url = `http://127.0.0.1:${receiver.port}/`;
  expect(await get(url, { policy: permissive, allowHttpOnLoopback: false })).toMatchObject({
    ok: false,
    reason: 'insecure_url',
  });
  expect(receiver.connections).toBe(0);
});

describe('a name that changes between two look-ups', () => {
  // The "public" address of this test: allowed by the policy, and another listener than 127.0.0.1.
  const allowed = process.platform === 'linux' ? '127.0.0.2' : '::1';
  const policy = createAddressPolicy({
    allowCidrs: [allowed.includes(':') ? `${allowed}/128` : `${allowed}/32`],
  });

  async function rebinding() {
    const goal = await listen({ scheme: 'https', host: '127.0.0.1' });
    const closeAfterAnswer = { scheme: 'https', host: allowed, port: goal.port } as const;
    const checked = await listen({
      ...closeAfterAnswer,
      handler: (_request, response) => void response.setHeader('connection', 'close').end('checked'),
    });
    let lookUps = 0;
    const client = createOutboundHttp({
      policy,
      ca: testCertificate,
      resolve: () => {
        lookUps += 1;
        return Promise.resolve([{ address: lookUps === 1 ? allowed : '127.0.0.1', family: 4 }]);
      },
    });
    clients.push(client);
    const request = () =>
      client.request({
        url: `https://rebind.example:${goal.port}/`,
        method: 'GET',
        deadlineMs: 2_000,
        maxBodyBytes: 100,
      });
    return { goal, checked, request, lookUps: () => lookUps };
  }

  test('is dialled at the address that was checked, with one look-up', async () => {
    const { goal, checked, request, lookUps } = await rebinding();
    expect(await request()).toMatchObject({ ok: true, body: Buffer.from('checked') });
    expect([lookUps(), checked.connections, goal.connections]).toEqual([1, 1, 0]);
  });

  test('is checked again for the next connection', async () => {
    const { goal, checked, request, lookUps } = await rebinding();
    await request();
    expect(await request()).toMatchObject({ ok: false, reason: 'blocked_address' });
    await sleep(20);
    expect([lookUps(), checked.connections, goal.connections]).toEqual([2, 1, 0]);
  });
});

test('the certificate is checked against the host name, not against the dialled address', async () => {
  const receiver = await listen({ scheme: 'https' });
  const url = (host: string) => `https://${host}:${receiver.port}/`;
  expect(await get(url('receiver.example'), { policy: permissive, resolve })).toMatchObject({ ok: true });
  expect(await get(url('other.example'), { policy: permissive, resolve })).toMatchObject({
    ok: false,
    reason: 'tls',
  });
  expect(receiver.requests).toHaveLength(1);
});
