import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import path from 'node:path';
import { Registry } from 'prom-client';
import { defineEvent, defineTopic, type EventEnvelope } from '@trunkline/contracts';
import Joi from 'joi';
import { eventually } from '../../testing/src/eventually.js';
import {
  consumeEvents,
  createConsumerMetrics,
  deadLetterTopic,
  MAX_MESSAGE_BYTES,
  newEvent,
  type EventBus,
  type ReceivedMessage,
} from '../src/index.js';
import { silent, type BusDriver } from './bus-driver.js';
import { expectAllInOrder, numbered } from './stream.js';

/** What every driver survives. */
export function describeBusFaults(driver: () => BusDriver): void {
  let bus: EventBus;
  let topic: string;
  beforeEach(async () => {
    topic = `fault-${randomUUID()}`;
    bus = await driver().open();
  });
  afterEach(() => bus.close());

  const insist = async (work: () => Promise<void>) => {
    for (;;) {
      try {
        return await work();
      } catch {
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    }
  };

  test('the broker goes away mid-stream and comes back: nothing is lost, every key stays in order', async () => {
    const received: ReceivedMessage[] = [];
    const handle = async (messages: readonly ReceivedMessage[]) => void received.push(...messages);
    await bus.subscribe({ topic, group: 'g', batchSize: 20, handle });
    let n = 0;
    const publish = async (until: () => boolean) => {
      for (; !until(); n++) {
        await insist(() => bus.publish(topic, numbered(10, 1, n)));
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    };
    await publish(() => received.length > 200);
    let disturbed = false;
    await Promise.all([
      publish(() => disturbed),
      driver()
        .disturb()
        .finally(() => (disturbed = true)),
    ]);
    const before = n;
    await publish(() => n > before + 50);
    await eventually(() => expectAllInOrder(received, 10, n), 60_000);
    expect(bus.isConnected()).toBe(true);
  }, 120_000);

  test('a consumer killed between handling and committing: its messages come again at another', async () => {
    await bus.publish(topic, numbered(1, 9));
    const died = await runCrashingConsumer({ ...driver().address, topic, group: 'g', dieAfter: 6 });
    expect(died).toEqual(['0', '1', '2', '3', '4', '5']);
    const received: string[] = [];
    const handle = async (messages: readonly ReceivedMessage[]) =>
      void received.push(...messages.map(({ payload }) => payload));
    await bus.subscribe({ topic, group: 'g', batchSize: 3, handle });
    await eventually(() => expect(received).toEqual(['3', '4', '5', '6', '7', '8']), 40_000);
  }, 90_000);

  test('poison in the middle is put aside with its reason, and what is behind it arrives', async () => {
    await driver().makeWideTopic(topic);
    await driver().makeWideTopic(deadLetterTopic(topic));
    const here = defineTopic(topic, ({ tenant_id }) => tenant_id);
    const thing = defineEvent('thing.made', Joi.object<{ n: number }>({ n: Joi.number().required() }), here);
    const other = defineEvent('thing.lost', Joi.object<{ n: number }>({ n: Joi.number().required() }), here);
    const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
    const fields = { tenantId: 't', occurredAt: new Date(0), requestId: 'r-1', traceparent };
    const good = (n: number) => newEvent(thing, { ...fields, data: { n } });
    const poison = {
      bad_json: '{"id":',
      bad_envelope: JSON.stringify({ hello: 'world' }),
      bad_data: good(0).payload.replace('{"n":0}', '{"n":"x"}'),
      too_long: `"${'x'.repeat(5_000_000)}"`,
    };
    await bus.publish(topic, [good(1), newEvent(other, { ...fields, data: { n: 7 } })]);
    for (const payload of Object.values(poison)) await bus.publish(topic, [{ key: 't', payload }]);
    await bus.publish(topic, [good(2)]);

    const registry = new Registry();
    const seen: EventEnvelope[] = [];
    const handle = async (events: readonly EventEnvelope[]) => void seen.push(...events);
    await consumeEvents(
      { group: 'g', topic: here, contracts: [thing], handle },
      { bus, log: silent, metrics: createConsumerMetrics(registry) },
    );
    await eventually(() => expect(seen.map(({ data }) => data)).toEqual([{ n: 1 }, { n: 2 }]), 30_000);
    expect(seen[0]).toMatchObject({ tenant_id: 't', request_id: 'r-1', traceparent });

    const dead: ReceivedMessage[] = [];
    const bury = async (messages: readonly ReceivedMessage[]) => void dead.push(...messages);
    await bus.subscribe({ topic: deadLetterTopic(topic), group: 'undertaker', handle: bury });
    await eventually(() => expect(dead).toHaveLength(4), 20_000);
    expect(dead.map(({ headers }) => headers['dead-reason'])).toEqual(Object.keys(poison));
    const { bad_json, bad_envelope, bad_data } = poison;
    expect(dead.slice(0, 3).map(({ payload }) => payload)).toEqual([bad_json, bad_envelope, bad_data]);
    expect(dead[3]?.headers['dead-bytes']).toBe('5000002');
    expect(Buffer.byteLength(dead[3]?.payload ?? '')).toBeLessThanOrEqual(MAX_MESSAGE_BYTES);
    const metrics = await registry.metrics();
    expect(metrics).toMatch(/trunkline_events_dead_total\{.*reason="too_long"\} 1/);
    expect(metrics).toMatch(/trunkline_events_lag\{.*\} 0/);
  }, 90_000);
}

/** Answers what it handled before it died. */
async function runCrashingConsumer(orders: object): Promise<string[]> {
  const child = spawn(
    process.execPath,
    [
      ...['-C', '@trunkline/source', '-r', path.join(__dirname, 'run-typescript.cjs')],
      ...[path.join(__dirname, 'crashing-consumer.ts'), JSON.stringify(orders)],
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await once(child, 'close');
  expect(child.signalCode).toBe('SIGKILL');
  return output.trim().split('\n');
}
