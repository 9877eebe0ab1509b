import { randomUUID } from 'node:crypto';
import { eventually } from '../../testing/src/eventually.js';
import type { EventBus, ReceivedMessage } from '../src/index.js';
import type { BusDriver } from './bus-driver.js';
import { expectAllInOrder, numbered } from './stream.js';

/** What every driver of the event bus promises. */
export function describeBusContract(driver: () => BusDriver): void {
  const opened: EventBus[] = [];
  const open = async () => {
    const bus = await driver().open();
    opened.push(bus);
    return bus;
  };
  let bus: EventBus;
  let topic: string;
  beforeEach(async () => {
    topic = `test-${randomUUID()}`;
    bus = await open();
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((each) => each.close()));
  });

  const collect = async (on: EventBus, group: string, options: { batchSize?: number } = {}) => {
    const received: ReceivedMessage[] = [];
    const handle = async (messages: readonly ReceivedMessage[]) => void received.push(...messages);
    await on.subscribe({ topic, group, handle, ...options });
    return received;
  };

  test('a message arrives as it was sent, also at a group that comes later', async () => {
    const sent = { key: 'k', payload: '{"grüß":"Gott 🙂"}', headers: { traceparent: '00-a-b-01' } };
    await bus.publish(topic, [sent]);
    const received = await collect(bus, 'late');
    await eventually(() => expect(received).toHaveLength(1), 20_000);
    const offset = expect.stringMatching(/^\d+$/) as string;
    expect(received).toEqual([{ ...sent, topic, partition: expect.any(Number) as number, offset }]);
    expect(bus.isConnected()).toBe(true);
  });

  test('every group gets every message, in the order of its key, in batches of one partition', async () => {
    const batches: (readonly ReceivedMessage[])[] = [];
    const handle = async (messages: readonly ReceivedMessage[]) => void batches.push(messages);
    await bus.subscribe({ topic, group: 'one', batchSize: 7, handle });
    const two = await collect(bus, 'two');
    for (let part = 0; part < 5; part++) await bus.publish(topic, numbered(20, 10, part * 10));
    await eventually(() => expectAllInOrder(batches.flat(), 20, 50), 20_000);
    await eventually(() => expectAllInOrder(two, 20, 50), 20_000);
    expect(batches.flat()).toHaveLength(1_000);
    expect(Math.max(...batches.map((batch) => batch.length))).toBe(7);
    for (const batch of batches) expect(new Set(batch.map(({ partition }) => partition)).size).toBe(1);
    expect(new Set(two.map(({ partition }) => partition)).size).toBeGreaterThan(1);
  });

  test('publishers at the same time neither lose nor mix up their messages', async () => {
    const received = await collect(bus, 'g');
    const publishers = await Promise.all(Array.from({ length: 4 }, open));
    await Promise.all(
      publishers.map(async (publisher, n) => {
        for (let i = 0; i < 30; i++) {
          const keys = [0, 1, 2].map((k) => ({ key: `key-${n * 3 + k}`, payload: String(i) }));
          await publisher.publish(topic, keys);
        }
      }),
    );
    await eventually(() => expectAllInOrder(received, 12, 30), 20_000);
  });

  test('the members of a group share the work, and a key stays in order', async () => {
    const members = [bus, await open()];
    const all: ReceivedMessage[] = [];
    const counts = [0, 0];
    for (const [n, member] of members.entries()) {
      const handle = async (messages: readonly ReceivedMessage[]) => {
        all.push(...messages);
        counts[n]! += messages.length;
        await new Promise((resolve) => setTimeout(resolve, 5));
      };
      await member.subscribe({ topic, group: 'shared', batchSize: 5, handle });
    }
    // One message after another until both are at work: a member needs some seconds to join on Kafka.
    let sent = 0;
    while (sent < 50 || Math.min(...counts) < 50) {
      await bus.publish(topic, numbered(12, 1, sent++));
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    await eventually(() => expectAllInOrder(all, 12, sent), 20_000);
    await eventually(async () => expect(await bus.lag(topic, 'shared')).toBe(0));
  });

  test('a group goes on where it stopped', async () => {
    await bus.publish(topic, numbered(5, 20));
    const first = await collect(bus, 'g', { batchSize: 10 });
    await eventually(() => expect(first).toHaveLength(100), 20_000);
    await bus.close();
    const again = await open();
    await again.publish(topic, numbered(5, 1, 20));
    const second = await collect(again, 'g');
    await eventually(() => expect(second).toHaveLength(5), 20_000);
    expect(second.map(({ payload }) => payload)).toEqual(['20', '20', '20', '20', '20']);
  });

  test('a failed batch comes again until it is taken, and those behind it wait', async () => {
    const seen: string[][] = [];
    await bus.publish(topic, numbered(1, 6));
    let failures = 3;
    const handle = async (messages: readonly ReceivedMessage[]) => {
      seen.push(messages.map(({ payload }) => payload));
      if (failures-- > 0) throw new Error('not now');
    };
    await bus.subscribe({ topic, group: 'g', batchSize: 3, handle });
    await eventually(() => expect(seen).toHaveLength(5), 20_000);
    expect(seen).toEqual([...Array(4).fill(['0', '1', '2']), ['3', '4', '5']]);
  });

  test('what was not taken when the bus closes is not committed', async () => {
    await bus.publish(topic, numbered(1, 3));
    let asked = 0;
    const refuse = async () => {
      asked++;
      throw new Error('never');
    };
    await bus.subscribe({ topic, group: 'g', handle: refuse });
    await eventually(() => expect(asked).toBeGreaterThan(1), 20_000);
    await bus.close();
    const received = await collect(await open(), 'g');
    await eventually(() => expect(received).toHaveLength(3), 20_000);
  });

  test('the lag tells what a group has yet to handle', async () => {
    await bus.publish(topic, numbered(10, 3));
    expect(await bus.lag(topic, 'nobody-yet')).toBe(30);
    const received = await collect(bus, 'g');
    await eventually(() => expect(received).toHaveLength(30), 20_000);
    await eventually(async () => expect(await bus.lag(topic, 'g')).toBe(0));
    await bus.publish(topic, []);
    expect(await bus.lag(topic, 'nobody-yet')).toBe(30);
  });
}
