import { randomUUID } from 'node:crypto';
import { eventually } from '@trunkline/testing';
import { accept, deliveries, delivery, empty, startDispatcher, told, type Dispatcher } from './fixtures.js';
import { startReceiver, type Receiver } from './receiver.js';

let first: Dispatcher;
let second: Dispatcher;
let hung: Receiver;
let quick: Receiver;
beforeAll(async () => {
  first = await startDispatcher();
  second = await startDispatcher({ replicaOf: first } as object);
  hung = await startReceiver();
  quick = await startReceiver();
});
afterAll(async () => {
  await Promise.all([hung.close(), quick.close()]);
  await second.stop();
  await first.stop();
});
const db = () => first.deps.db;
beforeEach(async () => {
  await empty(db());
  hung.requests.length = quick.requests.length = 0;
  hung.answer(() => undefined);
  quick.answer(200);
});

/** Lets replicas work as their loops do, until `done`. */
async function workUntil(done: () => Promise<boolean> | boolean, ...replicas: Dispatcher[]): Promise<void> {
  let stopped = false;
  const loops = replicas.map(async (replica) => {
    while (!stopped) {
      const handled = await replica.pass('deliver');
      await new Promise((resolve) => setTimeout(resolve, handled === 200 ? 0 : 10));
    }
  });
  try {
    await eventually(async () => expect(await done()).toBe(true), 20_000);
  } finally {
    stopped = true;
    await Promise.all(loops);
    await Promise.all(replicas.map(({ deps }) => deps.attempts.settled()));
  }
}

test('at most ten attempts of a subscription are under way over two replicas, and never fewer while more wait', async () => {
  quick.answer((_request, response) => void setTimeout(() => response.end(), 30));
  await accept(first, deliveries(300, { url: quick.url, subscription_id: randomUUID() }));
  await workUntil(() => quick.requests.length === 300, first, second);
  expect(quick.mostOpen).toBe(10);
  expect((await told(db())).filter(({ outcome }) => outcome === 'delivered')).toHaveLength(300);
});

test('a hung subscription holds its ten places, and another on the same host delivers meanwhile', async () => {
  quick.answer((request, response) => void (request.url === '/hung' || response.end()));
  const url = quick.url.replace('/hook', '/hung');
  await accept(first, deliveries(200, { url, subscription_id: randomUUID(), timeout_ms: 3_000 }));
  await accept(first, deliveries(100, { url: quick.url, subscription_id: randomUUID() }));
  const delivered = () => quick.requests.filter((request) => request.url === '/hook').length;
  const startedAt = performance.now();
  await workUntil(() => delivered() === 100 && performance.now() - startedAt > 500, first, second);
  expect(quick.requests.filter((request) => request.url === '/hung').length).toBeLessThanOrEqual(20);
}, 20_000);

test('a hundred thousand deliveries behind a hung receiver make claims for others no slower', async () => {
  const subscription_id = randomUUID();
  await accept(first, [delivery({ url: hung.url, subscription_id, timeout_ms: 30_000 })]);
  await db().$executeRaw`
    insert into deliveries (delivery_id, generation, subscription_id, tenant_id, url, sealed_secrets, event_type, body, max_retries, timeout_ms)
    select gen_random_uuid(), 1, subscription_id, tenant_id, url, sealed_secrets, event_type, body, max_retries, timeout_ms
    from deliveries, generate_series(1, 100000)`;
  await db().$executeRaw`vacuum analyze deliveries`;
  expect(await first.pass('deliver')).toBe(10);
  const slowest: number[] = [];
  for (let round = 0; round < 20; round++) {
    await accept(first, deliveries(10, { url: quick.url }));
    const startedAt = performance.now();
    expect(await first.pass('deliver')).toBe(1 + 9);
    slowest.push(performance.now() - startedAt);
    await eventually(() => expect(quick.requests).toHaveLength((round + 1) * 10));
  }
  slowest.sort((a, b) => a - b);
  expect(slowest[10]).toBeLessThan(50);
  await hung.close();
  await first.deps.attempts.settled();
  hung = await startReceiver();
}, 60_000);

test('receivers that keep attempts waiting get at most half of a process’s places', async () => {
  const small = await startDispatcher({
    replicaOf: first,
    environment: { WEBHOOK_ATTEMPTS_IN_FLIGHT: '40' },
  } as object);
  const slow = Array.from({ length: 8 }, () => randomUUID());
  for (const subscription_id of slow)
    await accept(
      small,
      deliveries(30, { url: hung.url, subscription_id, timeout_ms: 1_100, max_retries: 0 }),
    );
  const known = () => db().lane.count({ where: { slow: true } });
  for (let round = 0; round < 8 && (await known()) < 8; round++) {
    await small.pass('deliver');
    await small.deps.attempts.settled();
  }
  expect(await known()).toBe(8);
  while ((await small.pass('deliver')) > 0);
  expect(small.deps.attempts.count).toBe(20);
  await accept(small, deliveries(20, { url: quick.url }));
  await small.pass('deliver');
  await eventually(() => expect(quick.requests).toHaveLength(20), 800);
  await small.stop();
}, 30_000);

test('with a tenth of the receivers hung, the others wait no longer than without', async () => {
  const RECEIVERS = 40;
  const ROUNDS = 15;
  /** Time from acceptance to arrival, the 95th percentile over the quick receivers. */
  const p95 = async (hanging: number): Promise<number> => {
    await empty(db());
    quick.requests.length = 0;
    const acceptedAt = new Map<string, number>();
    const subscriptions = Array.from({ length: RECEIVERS }, (_, n) => ({
      subscription_id: randomUUID(),
      url: n < hanging ? hung.url : quick.url,
      timeout_ms: 1_500,
    }));
    let expected = 0;
    const feeding = (async () => {
      for (let round = 0; round < ROUNDS; round++) {
        const given = subscriptions.flatMap((each) => deliveries(3, each));
        await accept(first, given);
        for (const { delivery_id } of given) acceptedAt.set(delivery_id, Date.now());
        expected += given.filter(({ url }) => url === quick.url).length;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      return true;
    })();
    await workUntil(async () => (await feeding) && quick.requests.length === expected, first, second);
    const waits = quick.requests
      .map(({ headers, at }) => at - acceptedAt.get(String(headers['x-service-delivery']))!)
      .sort((a, b) => a - b);
    return waits[Math.floor(waits.length * 0.95)]!;
  };
  await p95(0);
  const without = await p95(0);
  const with_ = await p95(RECEIVERS / 10);
  process.stderr.write(
    `webhooks: p95 from acceptance to arrival ${without} ms, with a tenth hung ${with_} ms\n`,
  );
  // A few milliseconds are the machine's; a receiver that holds up others costs its time-out.
  expect(with_).toBeLessThanOrEqual(without * 1.5 + 15);
}, 60_000);
