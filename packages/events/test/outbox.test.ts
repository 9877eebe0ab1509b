import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { Registry } from 'prom-client';
import { carriersContract, eventsTopic } from '@trunkline/contracts';
import { eventually } from '../../testing/src/eventually.js';
import { createTestDatabase, type TestDatabase } from '../../testing/src/test-database.js';
import {
  appendToOutbox,
  claimUnprocessed,
  createPostgresBus,
  createRelay,
  eventsDatabase,
  MAX_MESSAGE_BYTES,
  newEvent,
  pruneProcessedEvents,
  type EventBus,
  type OutboxMessage,
  type PostgresBus,
  type ReceivedMessage,
  type SqlClient,
  type Subscription,
} from '../src/index.js';
import { silent } from './bus-driver.js';
import { outboxMessages } from './outbox-messages.js';
import { openPgSqlClient, type PgSqlClient } from './pg-sql-client.js';
import { expectAllInOrder } from './stream.js';

let database: TestDatabase;
let db: PgSqlClient;
let bus: PostgresBus;
let topic: string;
let received: ReceivedMessage[];
let subscription: Subscription;
beforeAll(async () => {
  const migrationsDir = path.join(__dirname, 'producer-schema');
  database = await createTestDatabase(eventsDatabase, { schema: 'producer', migrationsDir });
  db = openPgSqlClient(database.url, 'producer');
  bus = createPostgresBus({ url: database.url, log: silent });
});
afterAll(async () => {
  await bus.close();
  await db.close();
  await database.drop();
});
beforeEach(async () => {
  topic = `test-${randomUUID()}`;
  received = [];
  const handle = async (messages: readonly ReceivedMessage[]) => void received.push(...messages);
  subscription = await bus.subscribe({ topic, group: 'g', handle });
});
afterEach(() => subscription.close());

const inTransaction = <R>(work: (transaction: SqlClient) => Promise<R>) =>
  db.$transaction(work, { maxWait: 1_000, timeout: 5_000 });
const append = (messages: OutboxMessage[]) =>
  inTransaction((transaction) => appendToOutbox(transaction, messages));
const relayOver = (over: EventBus = bus) => {
  const registry = new Registry();
  return { registry, ...createRelay({ db, bus: over, log: silent, registry }) };
};
const drain = async (relay: ReturnType<typeof relayOver>) => {
  let handled = 0;
  for (let pass; !pass || pass.handled > 0; handled += pass.handled) pass = await relay.pass();
  return handled;
};
const rowsLeft = async () => {
  const [row] = await db.$queryRaw<{ rows: number }[]>`select count(*)::int as rows from outbox`;
  return row?.rows;
};

describe('the outbox', () => {
  test('events of a transaction that is rolled back are never published, those of a committed one in order', async () => {
    const failed = inTransaction(async (transaction) => {
      await appendToOutbox(transaction, outboxMessages(topic, 1, 5));
      throw new Error('changed its mind');
    });
    await expect(failed).rejects.toThrow('changed its mind');
    await append(outboxMessages(topic, 4, 300));
    await append([]);
    const relay = relayOver();
    expect(await relay.registry.metrics()).toMatch(/trunkline_outbox_rows 1200/);
    expect(await drain(relay)).toBe(1_200);
    expect(await rowsLeft()).toBe(0);
    await eventually(() => expect(received).toHaveLength(1_200));
    expectAllInOrder(received, 4, 300);
    expect(await relay.registry.metrics()).toMatch(/trunkline_events_published_total\{.*\} 1200/);
  });

  test('relays of several replicas keep the order of every key and publish once, while producers write', async () => {
    const relays = Array.from({ length: 4 }, () => relayOver());
    let writing = true;
    const relaying = relays.map(async (relay) => {
      do await relay.pass();
      while (writing || (await rowsLeft()));
    });
    const producers = Array.from({ length: 8 }, async (_, producer) => {
      for (let n = 0; n < 60; n++)
        await append([{ id: randomUUID(), topic, key: `key-${producer}`, payload: String(n), headers: {} }]);
    });
    await Promise.all(producers).finally(() => (writing = false));
    await Promise.all(relaying);
    await eventually(() => expectAllInOrder(received, 8, 60));
    expect(received).toHaveLength(480);
  });

  test('a relay that dies after publishing publishes again: nothing is lost', async () => {
    await append(outboxMessages(topic, 3, 10));
    let alive = false;
    const dying: EventBus = {
      ...bus,
      async publish(to, messages) {
        await bus.publish(to, messages);
        if (!alive) throw new Error('killed');
      },
    };
    const relay = relayOver(dying);
    expect(await relay.pass()).toEqual({ handled: 0, more: false });
    expect(await rowsLeft()).toBe(30);
    expect(await relay.pass()).toEqual({ handled: 0, more: false });
    alive = true;
    await eventually(async () => expect((await relay.pass()).handled).toBe(30));
    await eventually(() => expect(received).toHaveLength(60));
    expectAllInOrder(received, 3, 10);
  });

  test('a topic that is refused holds up no other', async () => {
    const choosy: EventBus = {
      ...bus,
      async publish(to, messages) {
        if (to === 'refused') throw new Error('no');
        await bus.publish(to, messages);
      },
    };
    await append([...outboxMessages('refused', 1, 3), ...outboxMessages(topic, 2, 3)]);
    expect((await relayOver(choosy).pass()).handled).toBe(6);
    expect(await rowsLeft()).toBe(3);
    expect(await drain(relayOver())).toBe(3);
  });

  test('when the service stops what lies in the outbox is published', async () => {
    await append(outboxMessages(topic, 2, 600));
    await relayOver().finish();
    expect(await rowsLeft()).toBe(0);
  });

  test('it is safe from a user who puts quotes, backslashes, line ends and NUL escapes into an event', async () => {
    const payload = JSON.stringify({ text: '\'"\\ \u0000 \n {} , NULL 🙂' });
    await append([{ id: randomUUID(), topic, key: '{"a",\\}', payload, headers: { 'x-y': '",{}' } }]);
    await drain(relayOver());
    await eventually(() => expect(received).toHaveLength(1));
    expect(received[0]).toMatchObject({ key: '{"a",\\}', payload, headers: { 'x-y': '",{}' } });
  });
});

describe('an event', () => {
  const { carrierUnhealthy } = carriersContract;
  const data: carriersContract.CarrierHealthChanged = {
    carrier_id: randomUUID(),
    code: 'acme',
    name: 'Acme',
    health_status: 'unhealthy',
    error_message: 'timeout',
    changed_at: '2026-01-15T12:00:00.000Z',
  };
  const fields = { tenantId: 'TJF0000001', occurredAt: new Date('2026-01-15T12:00:00Z'), data };

  test('carries its envelope, its key, and request and trace ids twice: for consumers and for tracing tools', () => {
    const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
    const event = newEvent(carrierUnhealthy, { ...fields, requestId: 'r-1', traceparent });
    expect(event).toMatchObject({ topic: eventsTopic.name, key: 'TJF0000001' });
    expect(event.headers).toEqual({ 'event-type': 'carrier.unhealthy', 'request-id': 'r-1', traceparent });
    expect(JSON.parse(event.payload)).toEqual({
      id: event.id,
      type: 'carrier.unhealthy',
      tenant_id: 'TJF0000001',
      occurred_at: '2026-01-15T12:00:00.000Z',
      data,
      request_id: 'r-1',
      traceparent,
    });
  });

  test('that breaks its contract or is too long is refused where it is made', () => {
    expect(() => newEvent(carrierUnhealthy, { ...fields, data: { ...data, code: 7 } as never })).toThrow(
      /code/,
    );
    const long = { ...data, name: 'x'.repeat(MAX_MESSAGE_BYTES) };
    expect(() => newEvent(carrierUnhealthy, { ...fields, data: long })).toThrow(/too long/);
  });
});

describe('processed events', () => {
  test('an id takes effect once per group, also when two transactions race, and not when one is rolled back', async () => {
    const ids = Array.from({ length: 50 }, () => randomUUID() as string);
    const claim = (group: string, wanted: string[]) =>
      inTransaction((transaction) => claimUnprocessed(transaction, group, wanted));
    const rolledBack = inTransaction(async (transaction) => {
      await claimUnprocessed(transaction, 'a', ids);
      throw new Error('crash');
    });
    await expect(rolledBack).rejects.toThrow('crash');
    const races = await Promise.all(Array.from({ length: 8 }, () => claim('a', [...ids].reverse())));
    expect(races.flatMap((claimed) => [...claimed]).sort()).toEqual([...ids].sort());
    expect((await claim('b', [ids[0]!, ids[0]!, ids[1]!])).size).toBe(2);
    expect((await claim('a', [])).size).toBe(0);
    expect(await pruneProcessedEvents(db, 7, 100)).toBe(0);
  });
});

describe('the log of the PostgreSQL bus', () => {
  test('is pruned of what every group has handled a day ago, and keeps what one still needs', async () => {
    await bus.publish(topic, outboxMessages(topic, 5, 10));
    await eventually(async () => expect(await bus.lag(topic, 'g')).toBe(0));
    const count = async () => {
      const [row] = await db.$queryRaw<{ rows: number }[]>`
        select count(*)::int as rows from events.event_log where topic = ${topic}`;
      return row?.rows;
    };
    await bus.prune();
    expect(await count()).toBe(50);
    await db.$executeRaw`
      update events.event_log set published_at = now() - interval '25 hours' where topic = ${topic}`;
    await db.$executeRaw`
      insert into events.consumer_offsets ("group", topic, partition)
      select 'slow', topic, partition from events.partitions where topic = ${topic}`;
    await bus.prune();
    expect(await count()).toBe(50);
    await db.$executeRaw`delete from events.consumer_offsets where "group" = 'slow'`;
    await bus.prune();
    expect(await count()).toBe(0);
    expect(await bus.lag(topic, 'late')).toBe(0);
  });
});
