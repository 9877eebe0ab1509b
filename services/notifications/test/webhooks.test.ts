import { startTestService } from '@trunkline/testing';
import { service } from '../src/service.js';
import { newCaller, outbox, publish, subscribe, WEBHOOKS, type Notifications } from './webhook-fixtures.js';

let notifications: Notifications;
beforeAll(async () => {
  notifications = await startTestService(service);
});
afterAll(() => notifications.stop());

const caller = newCaller();
const api = () => notifications.as(caller);
const input = { url: 'https://hooks.acme.example/in', events: ['call.completed', 'order.shipped'] };
const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const read = async (id: string) => (await api().get(`${WEBHOOKS}/${id}`).expect(200)).body;
const change = async (id: string, body: object) =>
  (await api().put(`${WEBHOOKS}/${id}`).send(body).expect(200)).body;

test('a webhook is answered with exactly the fields of the specification, and what is left out has its default', async () => {
  const { body } = await api().post(WEBHOOKS).send(input).expect(201);
  const { secret, ...shown } = body;
  expect(shown).toEqual({
    ...input,
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    active: true,
    max_retries: 3,
    timeout_ms: 5_000,
    created_at: timestamp,
    updated_at: timestamp,
  });
  expect(await read(body.id)).toEqual(shown);
  expect(secret).toMatch(/^whsec_/);
  expect(Buffer.from(secret.slice(6), 'base64')).toHaveLength(24);
});

test('a webhook keeps everything that it was given', async () => {
  const all = {
    url: 'https://[2606:4700::1]:8443/a?b=c',
    events: ['*'],
    secret: 'a-secret-of-16-c',
    active: false,
    max_retries: 10,
    timeout_ms: 30_000,
  };
  expect((await api().post(WEBHOOKS).send(all).expect(201)).body).toMatchObject(all);
});

test('the list is newest first, in "data", without secrets', async () => {
  const own = newCaller();
  const [first, second] = [await subscribe(notifications, own), await subscribe(notifications, own)];
  const { body } = await notifications.as(own).get(WEBHOOKS).expect(200);
  expect(Object.keys(body)).toEqual(['data']);
  expect(body.data.map(({ id }: { id: string }) => id)).toEqual([second.id, first.id]);
  expect(JSON.stringify(body)).not.toMatch(/secret/);
  expect(body.data[0]).toHaveProperty('updated_at');
});

test('only the keys present are changed, and what was read can be put back', async () => {
  const { id } = await subscribe(notifications, caller, input);
  const before = await read(id);
  const changed = await change(id, { max_retries: 0 });
  expect(changed).toEqual({ ...before, max_retries: 0, updated_at: timestamp });
  expect(await change(id, changed)).toEqual({ ...changed, updated_at: timestamp });
});

test('a deleted webhook is gone and gets nothing more', async () => {
  const own = newCaller();
  const { id } = await subscribe(notifications, own);
  await notifications.as(own).delete(`${WEBHOOKS}/${id}`).expect(204);
  await notifications.as(own).delete(`${WEBHOOKS}/${id}`).expect(404);
  await notifications.as(own).get(`${WEBHOOKS}/${id}`).expect(404);
  expect((await publish(notifications, own)).queued_subscriptions).toBe(0);
});

describe('the secret', () => {
  const chosen = 'correct-horse-battery-staple';

  test('is shown by the request that sets it, and by no other', async () => {
    const { body } = await api()
      .post(WEBHOOKS)
      .send({ ...input, secret: chosen })
      .expect(201);
    expect(body.secret).toBe(chosen);
    expect(await read(body.id)).not.toHaveProperty('secret');
    expect(await change(body.id, { active: false })).not.toHaveProperty('secret');
    expect(await change(body.id, { secret: `${chosen}-2` })).toHaveProperty('secret', `${chosen}-2`);
    expect(await read(body.id)).not.toHaveProperty('secret');
  });

  test('is nowhere in the database, in the log, or in the message to the dispatcher', async () => {
    const own = newCaller();
    const { id } = await subscribe(notifications, own, { secret: chosen });
    const made = (await subscribe(notifications, own)).secret;
    await notifications
      .as(own)
      .put(`${WEBHOOKS}/${id}`)
      .send({ secret: `${chosen}-2` });
    await publish(notifications, own);
    const { db } = notifications.deps;
    const stored = JSON.stringify([
      await db.webhookSubscription.findMany(),
      await db.outbox.findMany({ select: { payload: true, headers: true } }),
    ]);
    for (const secret of [chosen, made, made.slice(6)]) {
      expect(stored).not.toContain(secret);
      expect(notifications.logged()).not.toContain(secret);
    }
  });

  test('is not repeated by a refusal of it', async () => {
    const { body } = await api()
      .post(WEBHOOKS)
      .send({ ...input, secret: `${chosen} with a blank` })
      .expect(400);
    expect(JSON.stringify(body)).not.toContain(chosen);
  });

  test('is bound to its webhook: the sealed text of one opens for no other', async () => {
    const [first, second] = [await subscribe(notifications, caller), await subscribe(notifications, caller)];
    const { db, secrets } = notifications.deps;
    const { secretSealed } = await db.webhookSubscription.findUniqueOrThrow({ where: { id: first.id } });
    expect(secrets.open(secretSealed, `webhook-secret:${first.id}`)).toBe(first.secret);
    expect(() => secrets.open(secretSealed, `webhook-secret:${second.id}`)).toThrow();
  });
});

describe('a rotation', () => {
  const [first, second, third] = [
    'the-first-of-the-secrets',
    'the-second-of-the-secrets',
    'the-third-of-the-secrets',
  ];

  /** The secrets that the latest delivery is signed with, newest first. */
  async function signedWith(own: ReturnType<typeof newCaller>, id: string) {
    await publish(notifications, own);
    const [delivery] = (await outbox(notifications, own.tenant_id)).slice(-1);
    const { secrets } = notifications.deps;
    return delivery!.sealed_secrets.map(({ sealed, valid_until }) => ({
      secret: secrets.open(sealed, `webhook-secret:${id}`),
      hours: valid_until && Math.round((Date.parse(valid_until) - Date.now()) / 3_600_000),
    }));
  }

  async function rotated(...secrets: string[]) {
    const own = newCaller();
    const { id } = await subscribe(notifications, own, { secret: first });
    for (const secret of secrets) {
      await notifications.as(own).put(`${WEBHOOKS}/${id}`).send({ secret }).expect(200);
    }
    return { own, id };
  }

  test('signs with both secrets, the new one first, the old one for 24 hours more', async () => {
    const { own, id } = await rotated(second);
    expect(await signedWith(own, id)).toEqual([
      { secret: second, hours: null },
      { secret: first, hours: 24 },
    ]);
  });

  test('is over after 24 hours', async () => {
    const { own, id } = await rotated(second);
    await notifications.deps.db.webhookSubscription.update({
      where: { id },
      data: { previousValidUntil: new Date(Date.now() - 1) },
    });
    expect(await signedWith(own, id)).toEqual([{ secret: second, hours: null }]);
  });

  test('that is sent twice does not end the overlap', async () => {
    const { own, id } = await rotated(second, second);
    expect((await signedWith(own, id)).map(({ secret }) => secret)).toEqual([second, first]);
  });

  test('on a rotation leaves the two latest', async () => {
    const { own, id } = await rotated(second, third);
    expect((await signedWith(own, id)).map(({ secret }) => secret)).toEqual([third, second]);
  });

  test('by two requests at once leaves one current secret and the other as the old one', async () => {
    const { own, id } = await rotated();
    const put = (secret: string) =>
      notifications.as(own).put(`${WEBHOOKS}/${id}`).send({ secret }).expect(200);
    await Promise.all([put(second), put(third)]);
    expect((await signedWith(own, id)).map(({ secret }) => secret).sort()).toEqual([second, third].sort());
  });
});
