import { startTestService } from '@trunkline/testing';
import { service } from '../src/service.js';
import { registerTemplate, sendEmail } from './email-fixtures.js';
import {
  attemptOf,
  newCaller,
  NOTIFICATIONS,
  outbox,
  publish,
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

const [owner, stranger] = [newCaller(), newCaller()];
const operator = { kind: 'operator' } as const;

/** Records of a tenant, as the values of path parameters. */
type Ids = Record<string, string>;
const PARAMS = ['id', 'delivery_id', 'template_id'];

async function newRecords(as: typeof owner): Promise<Ids> {
  const webhook = await subscribe(notifications, as);
  const { id } = await publish(notifications, as);
  const [delivery] = (await outbox(notifications, as.tenant_id)).slice(-1);
  await report(notifications, attemptOf(delivery!));
  const email = await sendEmail(notifications, as);
  return { webhook: webhook.id, notification: id, email: email.id };
}

/** The path with the ids of these records in it; `:id` is that of the resource before it. */
function fill(path: string, ids: Ids): string {
  const id = path.startsWith(WEBHOOKS)
    ? ids.webhook
    : path.startsWith(NOTIFICATIONS)
      ? ids.notification
      : ids.email;
  const values: Record<string, string | undefined> = { id, delivery_id: ids.notification, template_id: 'x' };
  return path.replace(/:(\w+)/g, (_, name: string) => {
    if (!PARAMS.includes(name)) throw new Error(`This test does not know what to put into :${name}.`);
    return values[name] ?? 'unknown';
  });
}

const forAccounts = service.routes.filter(({ audience }) => audience === 'account');
const onRecords = forAccounts.filter(({ path }) => path.includes(':'));
const cases = (routes: typeof service.routes) =>
  routes.map((route) => [route.method, route.path, route.bodyExample as object | undefined] as const);

describe('the records of one tenant and another tenant', () => {
  let ofOwner: Ids;
  let before: unknown;
  const everything = async () => {
    const { db } = notifications.deps;
    const where = { tenantId: owner.tenant_id };
    return [
      await db.webhookSubscription.findMany({ where }),
      await db.delivery.findMany({ where }),
      await db.event.findMany({ where }),
      await db.email.findMany({ where }),
    ];
  };
  beforeAll(async () => {
    await registerTemplate(notifications);
    ofOwner = await newRecords(owner);
    before = await everything();
  });
  afterEach(async () => expect(await everything()).toEqual(before));

  test.each(cases(onRecords))('%s %s is 404', async (method, path, body) => {
    const answer = await notifications.as(stranger)[method](fill(path, ofOwner)).send(body);
    expect([answer.status, answer.body.error?.code]).toEqual([404, 'NOT_FOUND']);
  });

  test.each(cases(service.routes.filter(({ audience }) => audience === 'operator')))(
    '%s %s is closed to accounts',
    async (method, path, body) => {
      const answer = await notifications.as(stranger)[method](fill(path, ofOwner)).send(body);
      expect([answer.status, answer.body.error?.code]).toEqual([401, 'INVALID_CREDENTIALS']);
    },
  );

  test.each(cases(forAccounts))(
    '%s %s is closed to the operator and to the unauthenticated',
    async (method, path, body) => {
      const url = fill(path, ofOwner);
      expect((await notifications.as(operator)[method](url).send(body)).status).toBe(401);
      expect((await fetch(`${notifications.url}${url}`, { method: method.toUpperCase() })).status).toBe(401);
    },
  );

  test.each(cases(forAccounts.filter(({ method, path }) => method === 'get' && !path.includes(':'))))(
    '%s %s shows none of them, whatever is asked for',
    async (_method, path) => {
      const queries = path === NOTIFICATIONS ? ['', `?subscription_id=${ofOwner.webhook}`] : [''];
      for (const query of queries) {
        const { body } = await notifications.as(stranger).get(`${path}${query}`).expect(200);
        expect(body.data).toEqual([]);
      }
    },
  );

  test('a second key of the same account sees them: they belong to the tenant', async () => {
    const secondKey = { ...owner, auth_id: 'TJ0000FFFF' };
    await notifications.as(secondKey).get(`${WEBHOOKS}/${ofOwner.webhook}`).expect(200);
    await notifications.as(secondKey).get(`${NOTIFICATIONS}/${ofOwner.notification}`).expect(200);
  });

  test('an event of one reaches no webhook of the other', async () => {
    const { id } = await subscribe(notifications, stranger);
    expect((await publish(notifications, stranger)).queued_subscriptions).toBe(1);
    await notifications.as(stranger).delete(`${WEBHOOKS}/${id}`).expect(204);
  });
});

test('a delivery is reached only through its own webhook, within one tenant too', async () => {
  const [first, second] = [await newRecords(stranger), await subscribe(notifications, stranger)];
  for (const { method, path } of onRecords.filter((route) => route.path.includes(':delivery_id'))) {
    const crossed = fill(path, { ...first, webhook: second.id });
    expect([path, (await notifications.as(stranger)[method](crossed)).status]).toEqual([path, 404]);
  }
});
