import path from 'node:path';
import { Registry } from 'prom-client';
import { eventually } from '../../testing/src/eventually.js';
import { createTestDatabase } from '../../testing/src/test-database.js';
import { appendToOutbox, createKafkaBus, createRelay, type ReceivedMessage } from '../src/index.js';
import { silent } from './bus-driver.js';
import type { KafkaServer } from './kafka-server.js';
import { outboxMessages } from './outbox-messages.js';
import { openPgSqlClient } from './pg-sql-client.js';
import { expectAllInOrder } from './stream.js';

/** Kafka stopped: what was accepted waits in the outbox and is published when it is back. */
export function describeKafkaRelay(server: () => KafkaServer): void {
  test('while Kafka is away events are accepted and wait; the backlog drains when it is back', async () => {
    const migrationsDir = path.join(__dirname, 'producer-schema');
    const database = await createTestDatabase({ schema: 'producer', migrationsDir });
    const db = openPgSqlClient(database.url, 'producer');
    const bus = createKafkaBus({ brokers: server().brokers, clientId: 'relay', log: silent });
    const registry = new Registry();
    const relay = createRelay({ db, bus, log: silent, registry });
    const topic = `relayed-${Date.now()}`;
    const append = (from: number, count: number) =>
      db.$transaction((transaction) => appendToOutbox(transaction, outboxMessages(topic, 10, count, from)), {
        maxWait: 1_000,
        timeout: 1_000,
      });

    await append(0, 20);
    await relay.pass();
    await server().kill();
    for (let n = 20; n < 200; n += 20) await append(n, 20);
    expect(await relay.pass()).toMatchObject({ handled: 0 });
    expect(bus.isConnected()).toBe(false);
    expect(await registry.metrics()).toMatch(/trunkline_outbox_rows 1800/);

    await server().start();
    const received: ReceivedMessage[] = [];
    const handle = async (messages: readonly ReceivedMessage[]) => void received.push(...messages);
    await bus.subscribe({ topic, group: 'g', handle });
    const handled: number[] = [];
    await eventually(async () => {
      handled.push((await relay.pass()).handled);
      expect(await registry.metrics()).toMatch(/trunkline_outbox_rows 0/);
    }, 30_000);
    expect(Math.max(...handled)).toBe(500);
    await eventually(() => expectAllInOrder(received, 10, 200), 30_000);
    await bus.close();
    await db.close();
    await database.drop();
  }, 120_000);
}
