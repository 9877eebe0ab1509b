import fc from 'fast-check';
import { eventually } from '@trunkline/testing';
import { acceptDeliveries } from '../src/storage/accepted-deliveries.js';
import type { LeasedDelivery } from '../src/storage/deliveries.js';
import { leaseDeliveries } from '../src/storage/deliveries.js';
import { lockDueLanes } from '../src/storage/lanes.js';
import { recordAttempts } from '../src/use-cases/record-attempts.js';
import {
  accept,
  consume,
  deliverAll,
  deliveries,
  delivery,
  empty,
  shift,
  startDispatcher,
  told,
  type Dispatcher,
} from './fixtures.js';
import { startReceiver, type Receiver } from './receiver.js';

let first: Dispatcher;
let second: Dispatcher;
let receiver: Receiver;
beforeAll(async () => {
  first = await startDispatcher();
  second = await startDispatcher({ replicaOf: first } as object);
  receiver = await startReceiver();
});
afterAll(async () => {
  await second.stop();
  await first.stop();
  await receiver.close();
});
const db = () => first.deps.db;
beforeEach(async () => {
  await empty(db());
  receiver.requests.length = 0;
  receiver.answer(200);
});

/** Takes leases as a replica does, and makes no attempt. */
const lease = (replica: Dispatcher, limit = 100): Promise<LeasedDelivery[]> =>
  replica.deps.db.$transaction(async (transaction) =>
    leaseDeliveries(transaction, {
      subscriptionIds: (await lockDueLanes(transaction, { limit, slowToo: true })).map(
        ({ subscriptionId }) => subscriptionId,
      ),
      leaseToken: replica.deps.newId(),
      leaseMarginMs: 15_000,
      perSubscription: 10,
      limit,
    }),
  );

/** A result that comes as if the attempt had been made. */
const record = (replica: Dispatcher, leased: readonly LeasedDelivery[], status: number) =>
  recordAttempts(
    replica.deps,
    leased.map((each) => ({
      delivery: each,
      attempt: {
        outcome: { kind: 'answered', status },
        excerpt: null,
        attemptedAt: new Date(),
        durationMs: 1,
      },
    })),
  );

const received = () => receiver.requests.map(({ headers }) => headers['x-service-delivery']);

describe('taking over', () => {
  test('the same message again, waiting, under way or final, in one batch or in many at once, delivers once', async () => {
    const given = deliveries(50, { url: receiver.url });
    await consume(first, [...given, ...given.slice(0, 10)]);
    await Promise.all(
      Array.from({ length: 6 }, (_, n) =>
        consume(
          n % 2 ? first : second,
          given.toSorted(() => n - 3),
        ),
      ),
    );
    expect(await db().delivery.count()).toBe(50);
    expect(await deliverAll(first)).toBe(50);
    await consume(second, given);
    expect(await deliverAll(second)).toBe(0);
    expect(received()).toHaveLength(50);
    expect(new Set(received()).size).toBe(50);
    expect(await db().delivery.count()).toBe(0);
  });

  test('a message that comes again at the very moment its delivery becomes final does not deliver again', async () => {
    for (let round = 0; round < 20; round++) {
      const given = deliveries(10, { url: receiver.url });
      await consume(first, given);
      const leased = await lease(first);
      await Promise.all([record(first, leased, 200), consume(second, given), consume(first, given)]);
      expect(await lease(second)).toEqual([]);
    }
  });

  test('a newer generation begins anew, also after a terminal state; an older one that comes late changes nothing', async () => {
    receiver.answer(500);
    const given = delivery({ url: receiver.url, max_retries: 0 });
    await consume(first, [given]);
    await deliverAll(first);
    await consume(first, [{ ...given, generation: 3, payload: '{"again":true}' }]);
    await consume(first, [{ ...given, generation: 2 }, given]);
    receiver.answer(200);
    expect(await deliverAll(first)).toBe(1);
    expect(
      (await told(db())).map(({ generation, outcome, attempt }) => [generation, outcome, attempt]),
    ).toEqual([
      [1, 'failed', 1],
      [3, 'delivered', 1],
    ]);
    expect(receiver.requests[1]!.body.toString()).toContain('"data":{"again":true}');
  });

  test('deliveries are forgotten when their messages cannot come again, and never while they wait', async () => {
    const [waiting, final] = [delivery({ url: receiver.url }), delivery({ url: receiver.url })];
    await consume(first, [final]);
    await deliverAll(first);
    await consume(first, [waiting]);
    expect(await first.pass('forget-accepted')).toBe(0);
    await db().$executeRaw`update accepted_deliveries set accepted_at = now() - interval '169 hours'`;
    expect(await first.pass('forget-accepted')).toBe(1);
    expect((await db().acceptedDelivery.findMany()).map(({ deliveryId }) => deliveryId)).toEqual([
      waiting.delivery_id,
    ]);
    expect(await acceptDeliveries(db(), [{ deliveryId: waiting.delivery_id, generation: 1 }])).toEqual(
      new Set(),
    );
  });
});

describe('leases', () => {
  test('an attempt whose process dies is made again when its lease ends, not before', async () => {
    const given = delivery({ url: receiver.url, timeout_ms: 5_000 });
    await accept(first, [given]);
    expect(await lease(first)).toHaveLength(1);
    await shift(db(), 19);
    expect(await deliverAll(second)).toBe(0);
    await shift(db(), 1.1);
    expect(await deliverAll(second)).toBe(1);
    expect((await told(db())).map(({ attempt, outcome }) => [attempt, outcome])).toEqual([[1, 'delivered']]);
  });

  test('what a frozen process says after its lease went to another changes nothing and is told to nobody', async () => {
    const given = delivery({ url: receiver.url });
    await accept(first, [given]);
    const frozen = await lease(first);
    await shift(db(), 30);
    const [held] = await lease(second);
    await record(first, frozen, 500);
    expect(await told(db())).toEqual([]);
    expect(await db().delivery.findFirst()).toMatchObject({ attempts: 0, leaseToken: held!.leaseToken });
    await record(second, [held!], 200);
    await record(first, frozen, 500);
    expect((await told(db())).map(({ outcome }) => outcome)).toEqual(['delivered']);
    expect(await db().delivery.count()).toBe(0);
    expect(await db().$queryRaw`select from lanes where due_at <= now()`).toEqual([]);
  });

  test('a process that wakes up between its claim and its attempts makes none of them', async () => {
    await accept(first, deliveries(3, { url: receiver.url }));
    const clock = jest.spyOn(performance, 'now');
    let now = 0;
    clock.mockImplementation(() => (now += 10_000));
    const handled = await first.pass('deliver');
    clock.mockRestore();
    await first.deps.attempts.settled();
    expect([handled, receiver.requests.length]).toEqual([3, 0]);
    await shift(db(), 30);
    expect(await deliverAll(second)).toBe(3);
  });

  test('the result of an older generation only frees the place', async () => {
    const given = delivery({ url: receiver.url, max_retries: 0 });
    await accept(first, [given]);
    const leased = await lease(first);
    await accept(first, [{ ...given, generation: 2 }]);
    // Its place is taken until the attempt ends.
    expect(await lease(second)).toEqual([]);
    await record(first, leased, 500);
    expect(await told(db())).toEqual([]);
    expect(await deliverAll(second)).toBe(1);
    expect((await told(db())).map(({ generation, outcome }) => [generation, outcome])).toEqual([
      [2, 'delivered'],
    ]);
  });

  test('an older generation whose process died gives way to the newer when its lease ends', async () => {
    const given = delivery({ url: receiver.url });
    await accept(first, [given]);
    await lease(first);
    await accept(first, [{ ...given, generation: 2 }]);
    await shift(db(), 30);
    expect(await deliverAll(second)).toBe(1);
    expect((await told(db())).map(({ generation }) => generation)).toEqual([2]);
  });

  test('results that cannot be written at first are written later; lost ones are made again', async () => {
    const warned = first.logged().length;
    await accept(first, [delivery({ url: receiver.url })]);
    await db().$executeRaw`alter table outbox rename to outbox_gone`;
    await first.pass('deliver');
    await eventually(() => expect(receiver.requests).toHaveLength(1));
    await new Promise((resolve) => setTimeout(resolve, 100));
    await db().$executeRaw`alter table outbox_gone rename to outbox`;
    await first.deps.attempts.settled();
    expect((await told(db())).map(({ outcome }) => outcome)).toEqual(['delivered']);

    await accept(first, [delivery({ url: receiver.url })]);
    await db().$executeRaw`alter table outbox rename to outbox_gone`;
    await first.pass('deliver');
    await first.deps.attempts.settled();
    await db().$executeRaw`alter table outbox_gone rename to outbox`;
    expect(first.logged().slice(warned)).toContain('results of attempts could not be written');
    expect(await db().delivery.count()).toBe(1);
    await shift(db(), 30);
    expect(await deliverAll(second)).toBe(1);
    expect(await db().delivery.count()).toBe(0);
  });

  test('a result that comes while a claim looks at its lane waits for it, and the room it makes is found', async () => {
    const subscription_id = '00000000-0000-4000-8000-000000000001';
    await accept(first, deliveries(11, { url: receiver.url, subscription_id }));
    const leased = await lease(first);
    await db().$executeRaw`update lanes set "full" = false, due_at = now()`;
    let recorded: Promise<void> | undefined;
    await second.deps.db.$transaction(async (transaction) => {
      const [lane] = await lockDueLanes(transaction, { limit: 1, slowToo: true });
      recorded = record(first, leased.slice(0, 1), 200);
      await new Promise((resolve) => setTimeout(resolve, 100));
      const options = {
        leaseToken: second.deps.newId(),
        leaseMarginMs: 15_000,
        perSubscription: 10,
        limit: 10,
      };
      expect(
        await leaseDeliveries(transaction, { ...options, subscriptionIds: [lane!.subscriptionId] }),
      ).toEqual([]);
    });
    await recorded;
    expect(await lease(second)).toHaveLength(1);
  });

  test('when the commit fails, nothing is told', async () => {
    await accept(first, [delivery({ url: receiver.url })]);
    const leased = await lease(first);
    await db()
      .$executeRaw`create function refuse() returns trigger language plpgsql as $$ begin raise 'refused'; end $$`;
    await db()
      .$executeRaw`create constraint trigger refuse after delete on deliveries deferrable initially deferred
      for each row execute function refuse()`;
    await expect(record(first, leased, 200)).rejects.toThrow(/refused/);
    await db().$executeRaw`drop trigger refuse on deliveries`;
    await db().$executeRaw`drop function refuse`;
    expect(await told(db())).toEqual([]);
    await record(first, leased, 200);
    expect(await told(db())).toHaveLength(1);
  });

  test('twenty claims at once over two replicas take every delivery exactly once', async () => {
    for (let n = 0; n < 60; n++)
      await accept(
        first,
        deliveries(8, {
          url: receiver.url,
          subscription_id: `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
        }),
      );
    const claims = await Promise.all(Array.from({ length: 20 }, (_, n) => lease(n % 2 ? first : second, 50)));
    const rest: LeasedDelivery[] = [];
    for (let more = await lease(first, 200); more.length > 0; more = await lease(first, 200))
      rest.push(...more);
    const all = [...claims.flat(), ...rest].map(({ deliveryId }) => deliveryId);
    expect(all).toHaveLength(480);
    expect(new Set(all).size).toBe(480);
  });
});

test('stopping finishes the attempts under way and writes their results', async () => {
  const replica = await startDispatcher({ replicaOf: first } as object);
  receiver.answer((_request, response) => void setTimeout(() => response.end('late'), 500));
  await accept(replica, deliveries(5, { url: receiver.url }));
  expect(await replica.pass('deliver')).toBe(5);
  await replica.stop();
  expect((await told(db())).map(({ outcome }) => outcome)).toEqual(Array(5).fill('delivered'));
  expect(await db().delivery.count()).toBe(0);
});

test('the metrics tell of attempts, of the queue and of what is in flight', async () => {
  await accept(first, [delivery({ url: receiver.url }), delivery({ url: 'https://10.0.0.1/' })]);
  await shift(db(), 7);
  await first.pass('measure-queue');
  await deliverAll(first);
  const page = await (await fetch(`${first.internalUrl}/metrics`)).text();
  expect(page).toMatch(/trunkline_webhook_attempts_total\{outcome="delivered".*\} \d+/);
  expect(page).toMatch(/trunkline_webhook_attempts_total\{outcome="failed".*\} [1-9]/);
  expect(page).toMatch(/trunkline_webhook_queue_deliveries\{.*\} 2/);
  expect(page).toMatch(/trunkline_webhook_queue_oldest_due_seconds\{.*\} 7\./);
  expect(page).toMatch(/trunkline_webhook_attempts_in_flight\{.*\} 0/);
});

test('property: whatever happens in whatever order, everything is delivered in the end, nobody has more than ten, and no lane sleeps over work', async () => {
  const subscriptions = Array.from({ length: 3 }, (_, n) => `00000000-0000-4000-8000-00000000000${n}`);
  const step = fc.oneof(
    fc.record({ do: fc.constant('accept' as const), to: fc.nat(2), count: fc.integer({ min: 1, max: 15 }) }),
    fc.record({ do: fc.constant('lease' as const), limit: fc.integer({ min: 1, max: 20 }) }),
    fc.record({ do: fc.constant('record' as const), count: fc.nat(12), status: fc.constantFrom(200, 500) }),
    fc.record({ do: fc.constant('raise' as const), nth: fc.nat(20) }),
    fc.record({ do: fc.constant('wait' as const), seconds: fc.constantFrom(0.5, 2, 25, 300) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      await empty(db());
      const given: ReturnType<typeof deliveries> = [];
      let held: LeasedDelivery[] = [];
      for (const now of steps) {
        if (now.do === 'accept') {
          const more = deliveries(now.count, {
            url: receiver.url,
            subscription_id: subscriptions[now.to]!,
            max_retries: 5,
          });
          given.push(...more);
          await accept(first, more);
        } else if (now.do === 'lease') held.push(...(await lease(first, now.limit)));
        else if (now.do === 'record') {
          await record(first, held.slice(0, now.count), now.status);
          held = held.slice(now.count);
        } else if (now.do === 'wait') await shift(db(), now.seconds);
        else if (given.length > 0) {
          const one = given[now.nth % given.length]!;
          one.generation += 1;
          await accept(first, [one]);
        }
        const wrong = await db().$queryRaw`
          select d.subscription_id, count(*) filter (where lease_token is not null and d.due_at > now()) as leased
          from deliveries d left join lanes l on l.subscription_id = d.subscription_id
          group by d.subscription_id, l.due_at, l.full
          having count(*) filter (where lease_token is not null and d.due_at > now()) > 10 or l.due_at is null
            or (l.due_at > now() and bool_or(d.due_at < l.due_at)
              and count(*) filter (where lease_token is not null and d.due_at > now()) < 10)`;
        expect(wrong).toEqual([]);
      }
      for (let round = 0; round < 8 && (await db().delivery.count()) > 0; round++) {
        await shift(db(), 400);
        for (let leased = await lease(first); leased.length > 0; leased = await lease(first))
          await record(first, leased, 200);
      }
      expect(await db().delivery.count()).toBe(0);
      const finals = (await told(db())).filter(({ outcome }) => outcome !== 'retrying');
      expect(new Set(finals.map(({ delivery_id, generation }) => `${delivery_id} ${generation}`)).size).toBe(
        finals.length,
      );
      for (const { delivery_id, generation } of given)
        expect(
          finals.some((each) => each.delivery_id === delivery_id && each.generation === generation),
        ).toBe(true);
    }),
    { numRuns: 30 },
  );
}, 60_000);
