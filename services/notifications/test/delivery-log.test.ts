import { randomUUID } from 'node:crypto';
import { accountsContract } from '@trunkline/contracts';
import { startTestService } from '@trunkline/testing';
import { service } from '../src/service.js';
import {
  attemptOf,
  failedAttempt,
  newCaller,
  outbox,
  publish,
  readEntry,
  report,
  subscribe,
  WEBHOOKS,
  type Notifications,
} from './webhook-fixtures.js';

let notifications: Notifications;
beforeAll(async () => {
  notifications = await startTestService(service);
});
afterAll(() => notifications.stop());

/** A webhook with one delivery under way. */
async function delivering(fields: object = {}) {
  const caller = newCaller();
  const webhook = await subscribe(notifications, caller, fields);
  const { id } = await publish(notifications, caller);
  const [delivery] = await outbox(notifications, caller.tenant_id);
  const path = `${WEBHOOKS}/${webhook.id}`;
  return {
    caller,
    webhook,
    path,
    id,
    delivery: delivery!,
    entry: () => readEntry(notifications, caller, id),
    attempts: async () =>
      (await notifications.as(caller).get(`${path}/deliveries/${id}/attempts`).expect(200)).body,
    post: (action: string, body?: object) => notifications.as(caller).post(`${path}/${action}`).send(body),
    sent: () => outbox(notifications, caller.tenant_id),
  };
}

const retrying = {
  outcome: 'retrying',
  error: 'timeout',
  response_status: null,
  response_excerpt: null,
} as const;

describe('an attempt', () => {
  test('that failed leaves the entry pending with its reason; the one that succeeds ends it', async () => {
    const { delivery, entry, attempts } = await delivering();
    const first = attemptOf(delivery, { ...retrying, next_attempt_at: '2026-11-20T09:00:02.000Z' });
    await report(notifications, first);
    expect(await entry()).toMatchObject({
      ...{ status: 'pending', attempts: 1, last_error: 'timeout', last_attempt_at: first.attempted_at },
    });
    const second = attemptOf(delivery, { attempt: 2, attempted_at: '2026-11-20T09:00:02.000Z' });
    await report(notifications, second);
    expect(await entry()).toMatchObject({
      ...{ status: 'delivered', attempts: 2, last_error: 'timeout', last_attempt_at: second.attempted_at },
    });
    const { data, pagination } = await attempts();
    expect(pagination.total).toBe(2);
    expect(data[1]).toEqual({
      ...{ id: first.attempt_id, delivery_id: delivery.delivery_id, generation: 0, attempt: 1 },
      ...{ outcome: 'retrying', response_status: null, error: 'timeout', response_excerpt: null },
      ...{ duration_ms: 13, attempted_at: first.attempted_at, next_attempt_at: first.next_attempt_at },
    });
    expect(data[0]).toMatchObject({ id: second.attempt_id, outcome: 'delivered', response_excerpt: 'ok' });
  });

  test('that is reported again, also twice in one batch or at once, counts once', async () => {
    const { delivery, entry, attempts } = await delivering();
    const [first, second] = [attemptOf(delivery, retrying), failedAttempt(delivery, { attempt: 2 })];
    await report(notifications, first, first, second);
    await Promise.all([report(notifications, first, second), report(notifications, second, first)]);
    await report(notifications, first);
    expect(await entry()).toMatchObject({ status: 'failed', attempts: 2, last_error: 'HTTP 500' });
    expect((await attempts()).data).toHaveLength(2);
  });

  test('is counted also when several replicas report on one delivery at once, and the end wins', async () => {
    for (let round = 0; round < 5; round++) {
      const { delivery, entry } = await delivering();
      const attempts = Array.from({ length: 8 }, (_, n) =>
        attemptOf(delivery, { ...retrying, attempt: n + 1 }),
      );
      const last = failedAttempt(delivery, { attempt: 9 });
      await Promise.all([...attempts, last].map((each) => report(notifications, each)));
      expect(await entry()).toMatchObject({ status: 'failed', attempts: 9, last_error: 'HTTP 500' });
    }
  });

  test('of a dispatcher that was frozen changes nothing after the end, and is shown', async () => {
    const { delivery, entry, attempts } = await delivering();
    await report(notifications, attemptOf(delivery, { attempt: 2 }));
    const ended = await entry();
    await report(notifications, attemptOf(delivery, retrying));
    await report(notifications, failedAttempt(delivery, { attempt: 3 }));
    expect(await entry()).toEqual({ ...ended, attempts: 3 });
    expect((await attempts()).data).toHaveLength(3);
  });

  test('whose order was lost in a batch counts in the order in which it was made', async () => {
    const { delivery, entry } = await delivering();
    const late = attemptOf(delivery, { attempt: 2, outcome: 'delivered' });
    await report(notifications, late, attemptOf(delivery, retrying));
    expect(await entry()).toMatchObject({ status: 'delivered', attempts: 2, last_error: 'timeout' });
  });

  test('of a delivery, webhook or tenant that it does not belong to is left out', async () => {
    const { delivery, entry, attempts } = await delivering();
    const other = await delivering();
    await report(
      notifications,
      attemptOf({ ...delivery, delivery_id: randomUUID() }),
      attemptOf({ ...delivery, subscription_id: other.webhook.id }),
      attemptOf({ ...delivery, tenant_id: other.caller.tenant_id }),
    );
    expect(await entry()).toMatchObject({ status: 'pending', attempts: 0 });
    expect((await attempts()).data).toEqual([]);
  });

  test('with an answer that no database can hold is kept without what cannot be held', async () => {
    const { delivery, attempts } = await delivering();
    await report(notifications, failedAttempt(delivery, { response_excerpt: 'a\0b\ud800c€😀', error: '\0' }));
    expect((await attempts()).data[0]).toMatchObject({
      response_excerpt: 'a\ufffdb\ufffdc€😀',
      error: '\ufffd',
    });
  });
});

describe('a retry', () => {
  test('delivers again what failed, as the same delivery of the next generation', async () => {
    const { delivery, entry, post, id, sent } = await delivering();
    await report(notifications, failedAttempt(delivery));
    const { body } = await post(`deliveries/${id}/retry`).expect(202);
    expect(body).toEqual(await entry());
    expect(body).toMatchObject({ id, status: 'pending', attempts: 1, last_error: 'HTTP 500' });
    expect(await notifications.pass('requeue-deliveries')).toBe(1);
    expect(await sent()).toEqual([delivery, { ...delivery, generation: 1 }]);
    expect(await notifications.pass('requeue-deliveries')).toBe(0);

    await report(notifications, attemptOf(delivery, { attempt: 2, outcome: 'failed' }));
    expect(await entry()).toMatchObject({ status: 'pending', attempts: 2 });
    await report(notifications, attemptOf({ ...delivery, generation: 1 }));
    expect(await entry()).toMatchObject({ status: 'delivered', attempts: 3 });
  });

  test('replays what was delivered', async () => {
    const { delivery, post, id, sent } = await delivering();
    await report(notifications, attemptOf(delivery));
    await post(`deliveries/${id}/retry`).expect(202);
    await notifications.pass('requeue-deliveries');
    expect((await sent()).map(({ generation }) => generation)).toEqual([0, 1]);
  });

  test('of a delivery that is under way changes nothing', async () => {
    const { entry, post, id, sent } = await delivering();
    const before = await entry();
    await post(`deliveries/${id}/retry`).expect(202, before);
    await notifications.pass('requeue-deliveries');
    expect(await sent()).toHaveLength(1);
  });

  test('asked for ten times at once, and handed over by three replicas at once, is made once', async () => {
    const { delivery, post, id, sent } = await delivering();
    await report(notifications, failedAttempt(delivery));
    await Promise.all(Array.from({ length: 10 }, () => post(`deliveries/${id}/retry`).expect(202)));
    await Promise.all(Array.from({ length: 3 }, () => notifications.pass('requeue-deliveries')));
    expect((await sent()).map(({ generation }) => generation)).toEqual([0, 1]);
  });

  test('goes to where the webhook points now, signed as it is now', async () => {
    const { caller, delivery, path, post, id, sent } = await delivering();
    await report(notifications, failedAttempt(delivery));
    const changes = {
      url: 'https://other.example/',
      secret: 'another-secret-16',
      max_retries: 0,
      timeout_ms: 100,
    };
    await notifications.as(caller).put(path).send(changes).expect(200);
    await post(`deliveries/${id}/retry`).expect(202);
    await notifications.pass('requeue-deliveries');
    const [, again] = await sent();
    expect(again).toMatchObject({ url: changes.url, max_retries: 0, timeout_ms: 100 });
    expect(again!.sealed_secrets).toHaveLength(2);
  });

  test('of a webhook that is deleted before it is handed over fails and says so', async () => {
    const { caller, delivery, path, post, id, entry, sent } = await delivering();
    await report(notifications, failedAttempt(delivery));
    await post(`deliveries/${id}/retry`).expect(202);
    await notifications.as(caller).delete(path).expect(204);
    await notifications.pass('requeue-deliveries');
    expect(await entry()).toMatchObject({ status: 'failed', last_error: 'subscription_deleted' });
    expect(await sent()).toHaveLength(1);
  });
});

describe('a recovery', () => {
  const hour = 3_600_000;
  const iso = (ms: number) => new Date(ms).toISOString();

  test('delivers again what failed in its span, and nothing else', async () => {
    const { caller, webhook, path, delivery, sent } = await delivering();
    const other = await subscribe(notifications, caller);
    for (let n = 0; n < 4; n++) await publish(notifications, caller);
    const all = await sent();
    const own = all.filter(({ subscription_id }) => subscription_id === webhook.id);
    await report(notifications, attemptOf(delivery), ...all.slice(1).map((each) => failedAttempt(each)));
    // One long before the outage, one still under way.
    const { db } = notifications.deps;
    const at = new Date(Date.now() - 10 * hour);
    await db.delivery.update({ where: { id: own[1]!.delivery_id }, data: { createdAt: at } });
    await db.delivery.update({ where: { id: own[2]!.delivery_id }, data: { status: 'pending' } });
    await db.outbox.deleteMany();

    const span = { since: iso(Date.now() - hour), until: iso(Date.now() + hour) };
    const { body } = await notifications.as(caller).post(`${path}/recover`).send(span).expect(202);
    expect(body).toEqual({ count: 2 });
    await notifications.as(caller).post(`${path}/recover`).send(span).expect(202, { count: 0 });
    await notifications.pass('requeue-deliveries');
    const again = await sent();
    expect(again.map(({ delivery_id }) => delivery_id).sort()).toEqual(
      [own[3]!.delivery_id, own[4]!.delivery_id].sort(),
    );
    expect(again.every(({ generation }) => generation === 1)).toBe(true);
    expect(again.some(({ subscription_id }) => subscription_id === other.id)).toBe(false);
    const older = { since: iso(at.getTime()), until: iso(at.getTime() + 1) };
    await notifications.as(caller).post(`${path}/recover`).send(older).expect(202, { count: 1 });
  });

  test('by several requests at once takes each delivery once', async () => {
    const { caller, post, sent } = await delivering();
    for (let n = 0; n < 29; n++) await publish(notifications, caller);
    await report(notifications, ...(await sent()).map((each) => failedAttempt(each)));
    const span = { since: iso(Date.now() - hour) };
    const answers = await Promise.all(Array.from({ length: 6 }, () => post('recover', span).expect(202)));
    expect(answers.reduce((sum, { body }) => sum + body.count, 0)).toBe(30);
    await Promise.all(Array.from({ length: 3 }, () => notifications.pass('requeue-deliveries')));
    expect((await sent()).filter(({ generation }) => generation === 1)).toHaveLength(30);
  });

  test.each([
    [{ since: '2026-11-20T09:00:00Z', until: '2026-11-20T09:00:00Z' }, 'since'],
    [{ since: '2999-01-01T00:00:00Z' }, 'since'],
    [{ since: '2026-11-20' }, 'since'],
    [{ since: '2026-11-20T09:00:00' }, 'since'],
    [{ since: '2026-13-40T09:00:00Z' }, 'since'],
    [{ since: '2026-11-20T09:00:00Z', until: 'now' }, 'until'],
    [{}, 'since'],
  ])('of %j is refused', async (span, field) => {
    const { post } = await delivering();
    const { body } = await post('recover', span).expect(400);
    expect(body.error.details[0].field).toBe(field);
  });
});

describe('a test delivery', () => {
  test('goes to this webhook alone, whatever it listens to and though it is not active', async () => {
    const caller = newCaller();
    const { id } = await subscribe(notifications, caller, { events: ['x'], active: false });
    await subscribe(notifications, caller);
    const { body } = await notifications.as(caller).post(`${WEBHOOKS}/${id}/test`).expect(202);
    expect(body).toMatchObject({ subscription_id: id, event_type: 'webhook.test', status: 'pending' });
    expect(await outbox(notifications, caller.tenant_id)).toMatchObject([
      { delivery_id: body.id, subscription_id: id, event_type: 'webhook.test' },
    ]);
  });
});

describe('a webhook whose deliveries all fail', () => {
  const DAY = 86_400_000;
  const begin = Date.parse('2026-11-01T00:00:00.000Z');

  /** Days on which a delivery failed, or, when negative, succeeded. */
  async function after(...days: number[]) {
    const made = await delivering();
    const { caller } = made;
    for (const day of days) {
      await publish(notifications, caller);
      const [delivery] = (await made.sent()).slice(-1);
      const attempted_at = new Date(begin + Math.abs(day) * DAY).toISOString();
      const attempt = day < 0 ? attemptOf(delivery!) : failedAttempt(delivery!);
      await report(notifications, { ...attempt, attempted_at });
    }
    const { body } = await notifications.as(caller).get(made.path).expect(200);
    return { ...made, active: body.active as boolean };
  }

  test.each([
    ['for less than five days', [1, 3, 5.9], true],
    ['for five days', [1, 3, 6], false],
    ['for five days but for one that succeeded', [1, -4, 6, 8], true],
    ['once only', [1], true],
  ])('%s: active is then as it should be', async (_what, days, active) => {
    expect((await after(...days)).active).toBe(active);
  });

  test('gets no events any more, and its account is told once, also when it could not be found at first', async () => {
    const { caller, webhook, active } = await after(1, 6);
    expect(active).toBe(false);
    expect((await publish(notifications, caller)).queued_subscriptions).toBe(0);

    const { db } = notifications.deps;
    const emails = () => db.email.findMany({ where: { tenantId: caller.tenant_id } });
    const dueAgain = () =>
      db.webhookSubscription.updateMany({
        where: { noticeDueAt: { not: null } },
        data: { noticeDueAt: new Date(0) },
      });
    await dueAgain();
    await notifications.pass('notify-switched-off');
    expect(await emails()).toEqual([]);

    notifications.rpc.serve(accountsContract.findContact, ({ tenant_id }) =>
      Promise.resolve({ name: `Account of ${tenant_id}`, email: 'ops@acme.example' }),
    );
    await dueAgain();
    await Promise.all([notifications.pass('notify-switched-off'), notifications.pass('notify-switched-off')]);
    expect(await notifications.pass('notify-switched-off')).toBe(0);
    const [email, ...others] = await emails();
    expect(others).toEqual([]);
    expect(email).toMatchObject({ toEmail: 'ops@acme.example', templateId: 'webhook-disabled' });
    await notifications.pass('send-emails');
    const { body } = await notifications.as({ kind: 'operator' }).get('/sandbox/v1/inbox').expect(200);
    const told = body.data.find(({ text }: { text: string }) => text.includes(webhook.id));
    expect(told.subject).toBe('A webhook was switched off');
    expect(told.text).toContain(`Account of ${caller.tenant_id}`);
  });

  test('and is switched on again has its five days anew', async () => {
    const { caller, path, sent, delivery } = await after(1, 6);
    await notifications.as(caller).put(path).send({ active: true }).expect(200);
    await report(
      notifications,
      failedAttempt(delivery, { attempted_at: new Date(begin + 7 * DAY).toISOString() }),
    );
    expect((await notifications.as(caller).get(path)).body.active).toBe(true);
    expect(await sent()).not.toEqual([]);
  });
});
