import { webhooksContract, type EventEnvelope } from '@trunkline/contracts';
import { eventually, startTestService } from '@trunkline/testing';
import { service } from '../src/service.js';
import {
  attemptOf,
  envelope,
  newCaller,
  publish,
  readEntry,
  subscribe,
  type Delivery,
  type Notifications,
} from './webhook-fixtures.js';

let notifications: Notifications;
beforeAll(async () => {
  notifications = await startTestService(service, { runWorkers: true });
});
afterAll(() => notifications.stop());

test('an event goes out to the dispatcher, and what came of it comes back into the log', async () => {
  const caller = newCaller();
  await subscribe(notifications, caller);
  const dispatched: Delivery[] = [];
  const dispatcher = await notifications.bus.subscribe({
    topic: webhooksContract.WEBHOOK_DELIVERIES,
    group: 'webhook-dispatcher',
    async handle(messages) {
      dispatched.push(
        ...messages.map(({ payload }) => (JSON.parse(payload) as EventEnvelope<Delivery>).data),
      );
    },
  });
  const platformEvent = envelope(caller.tenant_id);
  await notifications.bus.publish('events', [
    { key: caller.tenant_id, payload: '{"bad json' },
    { key: caller.tenant_id, payload: JSON.stringify(platformEvent) },
  ]);
  const { id } = await publish(notifications, caller);
  await eventually(() => expect(dispatched).toHaveLength(2), 15_000);

  const data = attemptOf(dispatched.find(({ delivery_id }) => delivery_id === id)!);
  const attempt = envelope(caller.tenant_id, { id: data.attempt_id, type: 'webhook.attempt', data });
  await notifications.bus.publish(webhooksContract.WEBHOOK_ATTEMPTS, [
    { key: data.subscription_id, payload: JSON.stringify(attempt) },
  ]);
  await eventually(
    async () => expect(await readEntry(notifications, caller, id)).toMatchObject({ status: 'delivered' }),
    15_000,
  );
  await dispatcher.close();
}, 60_000);
