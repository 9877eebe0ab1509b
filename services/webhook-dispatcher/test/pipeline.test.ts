import { randomUUID } from 'node:crypto';
import { webhooksContract, type EventEnvelope } from '@trunkline/contracts';
import { newEvent } from '@trunkline/events';
import { eventually } from '@trunkline/testing';
import { deliveries, startDispatcher, type Dispatcher, type ToldAttempt } from './fixtures.js';
import { startReceiver, type Receiver } from './receiver.js';

let dispatcher: Dispatcher;
let receiver: Receiver;
beforeAll(async () => {
  dispatcher = await startDispatcher({ runWorkers: true });
  receiver = await startReceiver();
});
afterAll(async () => {
  await dispatcher.stop();
  await receiver.close();
});

test('from the bus to the receiver to the bus; what is no delivery is put aside and stops nobody', async () => {
  const given = deliveries(200, { url: receiver.url });
  const messages = given.map((data) =>
    newEvent(webhooksContract.deliveryRequested, { tenantId: data.tenant_id, data, occurredAt: new Date() }),
  );
  const [model] = messages;
  const withData = (change: object) => {
    const envelope = JSON.parse(model!.payload) as EventEnvelope<object>;
    const data = { ...envelope.data, delivery_id: randomUUID(), ...change };
    return { ...model!, payload: JSON.stringify({ ...envelope, data }) };
  };
  const poison = [
    { ...model!, payload: '{"not json' },
    withData({ payload: 'a\0b' }),
    withData({ timeout_ms: 1 }),
    withData({ subscription_id: 'x' }),
  ];
  const told: ToldAttempt[] = [];
  await dispatcher.bus.subscribe({
    topic: 'webhook-attempts',
    group: 'test',
    async handle(received) {
      told.push(...received.map(({ payload }) => (JSON.parse(payload) as EventEnvelope<ToldAttempt>).data));
    },
  });
  await dispatcher.bus.publish('webhook-deliveries', [...poison, ...messages]);
  await eventually(() => expect(told).toHaveLength(200), 10_000);
  expect(new Set(told.map(({ delivery_id }) => delivery_id))).toEqual(
    new Set(given.map(({ delivery_id }) => delivery_id)),
  );
  expect(told.every(({ outcome }) => outcome === 'delivered')).toBe(true);
  for (const attempt of told) expect(webhooksContract.webhookAttempt.validate(attempt).error).toBeUndefined();
  const bodies = receiver.requests.map(({ body }) => body.toString());
  expect(bodies).toHaveLength(200);
  expect(await dispatcher.deps.db.outbox.count()).toBe(0);
  expect(await dispatcher.bus.lag('webhook-deliveries', 'webhook-dispatcher')).toBe(0);
});
