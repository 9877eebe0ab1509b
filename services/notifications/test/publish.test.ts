import { randomUUID } from 'node:crypto';
import { startTestService } from '@trunkline/testing';
import { service } from '../src/service.js';
import {
  consume,
  envelope,
  newCaller,
  NOTIFICATIONS,
  outbox,
  publish,
  readEntry,
  subscribe,
  WEBHOOKS,
  type Notifications,
} from './webhook-fixtures.js';

let notifications: Notifications;
beforeAll(async () => {
  notifications = await startTestService(service);
});
afterAll(() => notifications.stop());

test('a payload of 256 KiB full of quotes is taken, delivered to the bus, and no fault', async () => {
  const caller = newCaller();
  await subscribe(notifications, caller, { events: ['*'] });
  const payload = JSON.stringify(['"'.repeat(131_069)]);
  expect(Buffer.byteLength(payload)).toBe(262_142);
  const answer = await notifications.as(caller).post(NOTIFICATIONS).send({ event_type: 'big', payload });
  expect(answer.status).toBe(202);
  expect(answer.body.queued_subscriptions).toBe(1);
});

const entriesOf = async (as: ReturnType<typeof newCaller>, query = '') =>
  (await notifications.as(as).get(`${NOTIFICATIONS}?per_page=100${query}`).expect(200)).body;

describe('publishing an event', () => {
  test('writes an entry for each active webhook that listens to it, and answers with the first', async () => {
    const caller = newCaller();
    const first = await subscribe(notifications, caller, { events: ['other', 'order.shipped'] });
    await subscribe(notifications, caller, { events: ['order.shipped.late'] });
    await subscribe(notifications, caller, { events: ['ORDER.SHIPPED', 'order'] });
    await subscribe(notifications, caller, { active: false });
    const all = await subscribe(notifications, caller, { events: ['*'] });
    await subscribe(notifications, newCaller());

    const answer = await publish(notifications, caller);
    expect(answer).toEqual({ id: answer.id, event_type: 'order.shipped', queued_subscriptions: 2 });
    const { data } = await entriesOf(caller);
    expect(data.map((entry: { subscription_id: string }) => entry.subscription_id).sort()).toEqual(
      [first.id, all.id].sort(),
    );
    expect(await readEntry(notifications, caller, answer.id)).toEqual({
      ...{
        id: answer.id,
        subscription_id: first.id,
        event_type: 'order.shipped',
        payload: '{"order": 4711}',
      },
      ...{ status: 'pending', attempts: 0, last_attempt_at: null, last_error: null },
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
  });

  test('hands each entry to the dispatcher with all that it needs', async () => {
    const caller = newCaller();
    const fields = { url: 'https://hooks.acme.example/x', max_retries: 7, timeout_ms: 900 };
    const { id } = await subscribe(notifications, caller, fields);
    const requestId = 'request-of-this-test';
    const payload = ' {"a" : 1.50, "b":"\\u0000 €"} ';
    const { body } = await notifications
      .as(caller)
      .post(NOTIFICATIONS)
      .set('x-request-id', requestId)
      .send({ event_type: 'order.shipped', payload })
      .expect(202);
    expect(await outbox(notifications, caller.tenant_id)).toEqual([
      {
        ...fields,
        delivery_id: body.id,
        generation: 0,
        subscription_id: id,
        tenant_id: caller.tenant_id,
        sealed_secrets: [{ sealed: expect.stringMatching(/^v1\./), valid_until: null }],
        event_type: 'order.shipped',
        occurred_at: expect.any(String),
        payload,
        request_id: requestId,
      },
    ]);
    expect((await readEntry(notifications, caller, body.id)).payload).toBe(payload);
    const [row] = await notifications.deps.db.outbox.findMany({ where: { key: id } });
    expect(row?.topic).toBe('webhook-deliveries');
  });

  test('that nobody listens to is answered with the id of the event, which shows as failed: nobody got it', async () => {
    const caller = newCaller();
    const answer = await publish(notifications, caller, 'order.lost', '[]');
    expect(answer).toEqual({ id: answer.id, event_type: 'order.lost', queued_subscriptions: 0 });
    expect(await readEntry(notifications, caller, answer.id)).toMatchObject({
      ...{ id: answer.id, subscription_id: null, event_type: 'order.lost', payload: '[]' },
      ...{ status: 'failed', attempts: 0, last_error: 'no_matching_subscription' },
    });
    expect((await entriesOf(caller)).data).toEqual([]);
    await notifications.as(newCaller()).get(`${NOTIFICATIONS}/${answer.id}`).expect(404);
  });

  test.each(['null', '0', '"text"', '[]', '{"a":{"b":[1,2]}}', `"${'x'.repeat(262_142)}"`])(
    'takes any JSON (%#)',
    async (payload) => {
      const caller = newCaller();
      await subscribe(notifications, caller);
      const { id } = await publish(notifications, caller, 'any', payload);
      expect((await readEntry(notifications, caller, id)).payload).toBe(payload);
    },
  );

  test('with its name in other letters than ASCII, or with a line break, is refused', async () => {
    for (const event_type of ['заказ', 'a\r\nX: y', ' a', '']) {
      const { body } = await notifications
        .as(newCaller())
        .post(NOTIFICATIONS)
        .send({ event_type, payload: '{}' })
        .expect(400);
      expect(body.error.details[0].field).toBe('event_type');
    }
  });

  test('leaves nothing behind when it cannot be committed', async () => {
    const caller = newCaller();
    await subscribe(notifications, caller);
    let asked = 0;
    const broken = await startTestService(service, {
      replicaOf: notifications,
      // The event gets a time; the messages, which come behind the log entries, do not.
      overrides: { now: () => new Date(asked++ === 0 ? Date.now() : Number.NaN) },
    });
    await broken.as(caller).post(NOTIFICATIONS).send({ event_type: 'x', payload: '{}' }).expect(500);
    await broken.stop();
    expect((await entriesOf(caller)).data).toEqual([]);
    expect(await outbox(notifications, caller.tenant_id)).toEqual([]);
  });
});

describe('the log', () => {
  const caller = newCaller();
  let webhooks: { id: string }[];
  beforeAll(async () => {
    webhooks = [
      await subscribe(notifications, caller, { events: ['a', 'b'] }),
      await subscribe(notifications, caller, { events: ['b'] }),
    ];
    for (const type of ['a', 'b', 'a']) await publish(notifications, caller, type);
  });

  test('is newest first, and its pages add up', async () => {
    const page = async (n: number) =>
      (await notifications.as(caller).get(`${NOTIFICATIONS}?per_page=3&page=${n}`).expect(200)).body;
    const [first, second] = [await page(1), await page(2)];
    expect(first.pagination).toEqual({ total: 4, count: 3, per_page: 3, current_page: 1, total_pages: 2 });
    const types = [...first.data, ...second.data].map((entry: { event_type: string }) => entry.event_type);
    expect(types).toEqual(['a', 'b', 'b', 'a']);
    expect(new Set([...first.data, ...second.data].map(({ id }) => id)).size).toBe(4);
  });

  test.each<[string, () => string, number]>([
    ['event_type', () => '&event_type=b', 2],
    ['another event_type', () => '&event_type=c', 0],
    ['status', () => '&status=pending', 4],
    ['another status', () => '&status=failed', 0],
    ['subscription', () => `&subscription_id=${webhooks[1]!.id}`, 1],
    ['all of them', () => `&subscription_id=${webhooks[0]!.id}&event_type=a&status=pending`, 2],
  ])('is filtered by %s', async (_what, query, total) => {
    const { data, pagination } = await entriesOf(caller, query());
    expect([data.length, pagination.total]).toEqual([total, total]);
  });

  test('of one webhook has the same shape and filters', async () => {
    const path = `${WEBHOOKS}/${webhooks[0]!.id}/deliveries`;
    const { body } = await notifications.as(caller).get(`${path}?event_type=a&per_page=1`).expect(200);
    expect(body.pagination).toEqual({ total: 2, count: 1, per_page: 1, current_page: 1, total_pages: 2 });
    expect(body.data[0]).toEqual(await readEntry(notifications, caller, body.data[0].id));
  });

  test('keeps the entries of a webhook that was deleted', async () => {
    const own = newCaller();
    const { id } = await subscribe(notifications, own);
    const entry = await publish(notifications, own);
    await notifications.as(own).delete(`${WEBHOOKS}/${id}`).expect(204);
    expect(await readEntry(notifications, own, entry.id)).toMatchObject({ subscription_id: id });
    await notifications.as(own).get(`${WEBHOOKS}/${id}/deliveries`).expect(404);
  });
});

describe('the events of the platform', () => {
  test('go to the webhooks of their tenant, with their data as the payload', async () => {
    const [caller, other] = [newCaller(), newCaller()];
    const { id } = await subscribe(notifications, caller, { events: ['call.completed'] });
    await subscribe(notifications, other);
    const event = envelope(caller.tenant_id, { request_id: 'r-1' });
    await consume(notifications, event, envelope(caller.tenant_id, { type: 'call.failed' }));
    expect(await outbox(notifications, caller.tenant_id)).toMatchObject([
      {
        ...{ subscription_id: id, event_type: 'call.completed', payload: '{"call_id":"c1","duration":7}' },
        ...{ occurred_at: event.occurred_at, request_id: 'r-1' },
      },
    ]);
    expect(await outbox(notifications, other.tenant_id)).toEqual([]);
    expect((await entriesOf(caller)).data).toHaveLength(1);
  });

  test('that come again, alone, in a batch, twice in one batch or at once, are delivered once', async () => {
    const caller = newCaller();
    await subscribe(notifications, caller);
    await subscribe(notifications, caller);
    const events = Array.from({ length: 20 }, () => envelope(caller.tenant_id));
    await consume(notifications, ...events, ...events);
    await consume(notifications, events[3]!);
    await Promise.all([
      consume(notifications, ...events),
      consume(notifications, ...events.toReversed()),
      consume(notifications, ...events.slice(5), envelope(caller.tenant_id)),
    ]);
    expect((await entriesOf(caller)).pagination.total).toBe(42);
    expect(await outbox(notifications, caller.tenant_id)).toHaveLength(42);
  });

  test('do not reach a webhook that was made after they were first taken, when the position is set back', async () => {
    const caller = newCaller();
    const event = envelope(caller.tenant_id);
    await consume(notifications, event);
    await subscribe(notifications, caller);
    await consume(notifications, event);
    expect((await entriesOf(caller)).data).toEqual([]);
  });

  test('of one batch are kept when one of them cannot be stored', async () => {
    const caller = newCaller();
    await subscribe(notifications, caller);
    const good = envelope(caller.tenant_id, { data: { text: '\0 \ud800' } });
    await consume(notifications, envelope(caller.tenant_id, { type: 'a\0' }), good);
    expect((await outbox(notifications, caller.tenant_id)).map(({ payload }) => payload)).toEqual([
      '{"text":"\\u0000 \\ud800"}',
    ]);
    expect(notifications.logged()).toContain('left out');
  });
});

describe('while webhooks come, go and change', () => {
  test('the entries of an event are exactly those that its answer counts, and each that stayed is among them', async () => {
    const caller = newCaller();
    const steady = await Promise.all(Array.from({ length: 5 }, () => subscribe(notifications, caller)));
    let running = true;
    const churn = async () => {
      while (running) {
        const { id } = await subscribe(notifications, caller);
        await notifications.as(caller).put(`${WEBHOOKS}/${id}`).send({ active: false });
        await notifications
          .as(caller)
          .put(`${WEBHOOKS}/${id}`)
          .send({ active: true, events: ['never'] });
        await notifications.as(caller).delete(`${WEBHOOKS}/${id}`);
      }
    };
    const churning = [churn(), churn()];
    const answers = (
      await Promise.all(
        Array.from({ length: 4 }, async () => {
          const some = [];
          for (let n = 0; n < 15; n++) some.push(await publish(notifications, caller, randomUUID()));
          return some;
        }),
      )
    ).flat();
    running = false;
    await Promise.all(churning);

    const entries = await notifications.deps.db.delivery.findMany({ where: { tenantId: caller.tenant_id } });
    const messages = await outbox(notifications, caller.tenant_id);
    expect(messages.map(({ delivery_id }) => delivery_id).sort()).toEqual(entries.map(({ id }) => id).sort());
    for (const { event_type, queued_subscriptions } of answers) {
      const own = entries.filter(({ eventType }) => eventType === event_type);
      expect(own).toHaveLength(queued_subscriptions);
      const reached = own.map(({ subscriptionId }) => subscriptionId);
      expect(reached).toEqual(expect.arrayContaining(steady.map(({ id }) => id)));
      expect(new Set(reached).size).toBe(reached.length);
    }
  });

  test('a webhook whose change was answered before an event is asked for is seen as changed', async () => {
    const caller = newCaller();
    const { id } = await subscribe(notifications, caller);
    for (const active of [false, true, false, true]) {
      await notifications.as(caller).put(`${WEBHOOKS}/${id}`).send({ active }).expect(200);
      expect((await publish(notifications, caller)).queued_subscriptions).toBe(active ? 1 : 0);
    }
  });
});
