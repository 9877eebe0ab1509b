import Stripe from 'stripe';
import { Webhook } from 'standardwebhooks';
import {
  accept,
  deliverAll,
  delivery,
  empty,
  sealed,
  SECRET,
  startDispatcher,
  told,
  type Dispatcher,
} from './fixtures.js';
import { startReceiver, type Receiver } from './receiver.js';

let dispatcher: Dispatcher;
let receiver: Receiver;
beforeAll(async () => {
  dispatcher = await startDispatcher();
  receiver = await startReceiver();
});
afterAll(async () => {
  await dispatcher.stop();
  await receiver.close();
});
beforeEach(async () => {
  await empty(dispatcher.deps.db);
  receiver.requests.length = 0;
  receiver.answer(200);
});

async function deliverOne(fields: Partial<Parameters<typeof delivery>[0]> = {}) {
  const given = delivery({ url: receiver.url, ...fields });
  await accept(dispatcher, [given]);
  await deliverAll(dispatcher);
  const request = receiver.requests.at(-1)!;
  return { given, ...request, header: (name: string) => String(request.headers[name]) };
}

const stripe = new Stripe('sk_test_none');
type Got = Awaited<ReturnType<typeof deliverOne>>;
/** As a receiver with Stripe's library; throws when it refuses. `later`: seconds that passed since. */
const byStripe = ({ body, header }: Got, secret: string, later = 0) =>
  stripe.webhooks.constructEvent(
    body,
    header('x-service-signature'),
    secret,
    300,
    undefined,
    Date.now() + later * 1_000,
  ) as unknown as { event: string };
/** As a receiver with the Standard Webhooks library. */
const byStandard = ({ body, headers }: Pick<Got, 'body' | 'headers'>, webhook: Webhook) =>
  webhook.verify(body, headers as Record<string, string>) as { event: string };

test('the headers and the body are those of the specification', async () => {
  const payload = '{ "total": 1.0, "note":"é😀\\u0000", "a":1, "a":2 }';
  const { given, body, headers, rawHeaders, url } = await deliverOne({
    payload,
    event_type: 'call.completed',
  });
  expect(url).toBe('/hook');
  expect(body.toString()).toBe(
    `{"event":"call.completed","delivery_id":"${given.delivery_id}","occurred_at":"2026-01-15T12:00:00.000Z","data":${payload}}`,
  );
  expect(headers).toEqual({
    host: new URL(receiver.url).host,
    connection: 'keep-alive',
    'content-type': 'application/json',
    'content-length': String(body.length),
    'accept-encoding': 'identity',
    'user-agent': expect.stringMatching(/^Trunkline\//),
    'x-service-event': 'call.completed',
    'x-service-delivery': given.delivery_id,
    'x-service-timestamp': expect.stringMatching(/^\d{10}$/),
    'x-service-signature': expect.stringMatching(/^t=\d{10},v1=[0-9a-f]{64}$/),
    'webhook-id': given.delivery_id,
    'webhook-timestamp': headers['x-service-timestamp'],
    'webhook-signature': expect.stringMatching(/^v1,[A-Za-z0-9+/]{43}=$/),
  });
  expect(headers['x-service-signature']).toContain(`t=${headers['x-service-timestamp']},`);
  expect(Math.abs(Number(headers['x-service-timestamp']) - Date.now() / 1_000)).toBeLessThan(5);
  expect(rawHeaders.filter((_, n) => n % 2 === 0).length).toBe(Object.keys(headers).length);
});

test('the brand in the names of the headers is configuration', async () => {
  const branded = await startDispatcher({
    replicaOf: dispatcher,
    environment: { WEBHOOK_HEADER_BRAND: 'Acme-Co' },
  } as object);
  await accept(branded, [delivery({ url: receiver.url })]);
  await deliverAll(branded);
  await branded.stop();
  const names = Object.keys(receiver.requests[0]!.headers);
  expect(names).toEqual(
    expect.arrayContaining([
      'x-acme-co-event',
      'x-acme-co-delivery',
      'x-acme-co-timestamp',
      'x-acme-co-signature',
    ]),
  );
  expect(names.filter((name) => name.startsWith('x-service'))).toEqual([]);
});

test('Stripe’s library and the Standard Webhooks library accept it unchanged', async () => {
  const got = await deliverOne();
  expect(byStripe(got, SECRET).event).toBe('order.paid');
  expect(byStandard(got, new Webhook(SECRET)).event).toBe('order.paid');
});

test('both refuse what was tampered with', async () => {
  const got = await deliverOne();
  const body = Buffer.from(got.body.toString().replace('42', '43'));
  expect(() => byStripe({ ...got, body }, SECRET)).toThrow(/signature/i);
  expect(() => byStandard({ ...got, body }, new Webhook(SECRET))).toThrow(/signature/i);
  const headers = { ...got.headers, 'webhook-id': 'another' };
  expect(() => byStandard({ ...got, headers }, new Webhook(SECRET))).toThrow(/signature/i);
  expect(() => byStripe(got, 'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA')).toThrow(/signature/i);
});

test('both refuse it 301 seconds later, and take it after 299', async () => {
  const got = await deliverOne();
  expect(byStripe(got, SECRET, 299).event).toBe('order.paid');
  expect(() => byStripe(got, SECRET, 302)).toThrow(/tolerance/i);
  const webhook = new Webhook(SECRET);
  const clock = jest.spyOn(Date, 'now');
  try {
    const sent = Number(got.headers['webhook-timestamp']) * 1_000;
    clock.mockReturnValue(sent + 299_000);
    expect(byStandard(got, webhook).event).toBe('order.paid');
    clock.mockReturnValue(sent + 301_000);
    expect(() => byStandard(got, webhook)).toThrow(/too old/i);
  } finally {
    clock.mockRestore();
  }
});

test('during a rotation either secret verifies, afterwards only the new one', async () => {
  const subscription_id = '2f1c1d0a-8c1e-4a55-9a3b-0d8c5f3f6a01';
  const renewed = 'whsec_bmV3LXNlY3JldC1uZXctc2VjcmV0LW5ldw==';
  const secrets = (validUntil: Date) => [
    sealed(subscription_id, renewed),
    sealed(subscription_id, SECRET, validUntil),
  ];
  const during = await deliverOne({
    subscription_id,
    sealed_secrets: secrets(new Date(Date.now() + 60_000)),
  });
  expect(during.header('x-service-signature')).toMatch(/^t=\d+,v1=[0-9a-f]{64},v1=[0-9a-f]{64}$/);
  expect(during.header('webhook-signature')).toMatch(/^v1,\S{44} v1,\S{44}$/);
  for (const secret of [renewed, SECRET]) {
    expect(byStripe(during, secret).event).toBe('order.paid');
    expect(byStandard(during, new Webhook(secret)).event).toBe('order.paid');
  }
  const after = await deliverOne({ subscription_id, sealed_secrets: secrets(new Date(Date.now() - 1)) });
  expect(byStripe(after, renewed).event).toBe('order.paid');
  expect(byStandard(after, new Webhook(renewed)).event).toBe('order.paid');
  expect(() => byStripe(after, SECRET)).toThrow(/signature/i);
  expect(() => byStandard(after, new Webhook(SECRET))).toThrow(/signature/i);
});

test('secrets of the user’s own verify too: Base64 as the library reads it, any other text as a raw key', async () => {
  const subscription_id = '2f1c1d0a-8c1e-4a55-9a3b-0d8c5f3f6a02';
  const signedWith = (secret: string) =>
    deliverOne({ subscription_id, sealed_secrets: [sealed(subscription_id, secret)] });
  for (const secret of [
    'c2VjcmV0LXNlY3JldC1zZWNyZXQ=',
    'whsec_c2VjcmV0LXNlY3JldC1zZWNyZXQ=',
    'abcdefghijkl',
  ]) {
    const got = await signedWith(secret);
    expect(byStandard(got, new Webhook(secret)).event).toBe('order.paid');
    expect(byStripe(got, secret).event).toBe('order.paid');
  }
  for (const secret of ['correct horse battery', 'whsec_not base64!', 'abc', 'a-b_c-d_']) {
    const got = await signedWith(secret);
    expect(() => new Webhook(secret)).toThrow();
    expect(byStandard(got, new Webhook(secret, { format: 'raw' })).event).toBe('order.paid');
    expect(byStripe(got, secret).event).toBe('order.paid');
  }
});

test('what came of it is told: status, time, first bytes of the answer', async () => {
  receiver.answer((_request, response) => void response.writeHead(202).end(`x\0y${'é'.repeat(2_000)}`));
  const { given } = await deliverOne({ request_id: 'req-1' });
  const [attempt, ...others] = await told(dispatcher.deps.db);
  expect(others).toEqual([]);
  expect(attempt).toEqual({
    attempt_id: expect.any(String),
    delivery_id: given.delivery_id,
    generation: 1,
    subscription_id: given.subscription_id,
    tenant_id: 'TJ00000001',
    attempt: 1,
    outcome: 'delivered',
    response_status: 202,
    error: null,
    response_excerpt: expect.stringMatching(/^xyé+.?$/),
    duration_ms: expect.any(Number),
    attempted_at: expect.any(String),
    next_attempt_at: null,
  });
  expect(Buffer.byteLength(attempt!.response_excerpt!)).toBeLessThanOrEqual(1_024);
  expect(await dispatcher.deps.db.delivery.count()).toBe(0);
  const [row] = await dispatcher.deps.db.outbox.findMany();
  expect(row).toMatchObject({ topic: 'webhook-attempts', key: given.subscription_id });
});

test('neither payloads nor secrets are in the log', async () => {
  receiver.answer(500);
  await deliverOne({ payload: '{"card":"4242"}', max_retries: 0 });
  await deliverOne({
    sealed_secrets: [{ sealed: 'v1.gone.AAAA', valid_until: null }],
    payload: '{"card":"4242"}',
  });
  expect(dispatcher.logged()).toContain('an attempt could not be made');
  expect(dispatcher.logged()).not.toContain('4242');
  expect(dispatcher.logged()).not.toContain(SECRET);
});

test('connections are used again', async () => {
  const before = receiver.connections;
  for (let n = 0; n < 10; n++) await deliverOne();
  expect(receiver.connections - before).toBeLessThanOrEqual(1);
});
