import { randomUUID } from 'node:crypto';
import { notificationsContract } from '@trunkline/contracts';
import type { OutboundHttp } from '@trunkline/outbound-http';
import { startTestService } from '@trunkline/testing';
import { createEmailProvider } from '../src/adapters/create-email-provider.js';
import { config } from '../src/config.js';
import { service } from '../src/service.js';
import { applyEmailEvent } from '../src/use-cases/apply-email-event.js';
import {
  EMAILS,
  message,
  operator,
  readEmail,
  registerTemplate,
  scriptedProvider,
  sendEmail,
  TEMPLATES,
} from './email-fixtures.js';
import { newCaller, type Notifications } from './webhook-fixtures.js';

let notifications: Notifications;
beforeAll(async () => {
  notifications = await startTestService(service);
  await registerTemplate(notifications);
});
afterAll(() => notifications.stop());

const INBOX = '/sandbox/v1/inbox';
const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const pass = async () => {
  while ((await notifications.pass('send-emails')) > 0);
};
const inbox = async (query = '') =>
  (await notifications.as(operator).get(`${INBOX}${query}`).expect(200)).body.data;
const nothing = {
  ...{ sent_at: null, delivered_at: null, bounced_at: null, failed_at: null },
  ...{ bounce_reason: null, bounce_type: null, failure_reason: null },
};
/** A replica whose provider answers as it is told. */
async function replicaWith(...outcomes: Parameters<typeof scriptedProvider>) {
  const { provider, sent } = scriptedProvider(...outcomes);
  const replica = await startTestService(service, {
    replicaOf: notifications,
    overrides: { emailProvider: provider },
  });
  return { replica, sent };
}

describe('an e-mail', () => {
  test('is answered with exactly the fields of the specification, then sent and delivered', async () => {
    const caller = newCaller();
    const { body } = await notifications.as(caller).post(EMAILS).send(message).expect(202);
    const { template_data: _, ...described } = message;
    expect(body).toEqual({ id: body.id, ...described, status: 'queued' });
    const queued = { ...body, ...nothing, queued_at: timestamp };
    expect(await readEmail(notifications, caller, body.id)).toEqual(queued);
    await pass();
    const delivered = { status: 'delivered', sent_at: timestamp, delivered_at: timestamp };
    expect(await readEmail(notifications, caller, body.id)).toEqual({ ...queued, ...delivered });
    const list = (await notifications.as(caller).get(EMAILS).expect(200)).body;
    expect(list.data).toEqual([{ ...body, status: 'delivered', sent_at: timestamp }]);
    expect(list.pagination).toMatchObject({ total: 1, current_page: 1 });
  });

  test('that fails, and one that bounces, say so', async () => {
    const caller = newCaller();
    const [fails, bounces] = [
      await sendEmail(notifications, caller, { to_email: 'fail@example.com' }),
      await sendEmail(notifications, caller, { to_email: 'Bounce@Example.com' }),
    ];
    await pass();
    expect(await readEmail(notifications, caller, fails.id)).toMatchObject({
      ...{ status: 'failed', sent_at: null, failed_at: timestamp, failure_reason: 'sandbox_failure' },
    });
    expect(await readEmail(notifications, caller, bounces.id)).toMatchObject({
      ...{ status: 'bounced', sent_at: timestamp, bounced_at: timestamp },
      ...{ bounce_type: 'hard', bounce_reason: 'sandbox_bounce' },
    });
  });

  test('to an address that bounced is accepted and fails; other tenants may still write to it', async () => {
    const [caller, other] = [newCaller(), newCaller()];
    await sendEmail(notifications, caller, { to_email: 'bounce@example.com' });
    await pass();
    const again = await sendEmail(notifications, caller, { to_email: 'BOUNCE@example.com' });
    const others = await sendEmail(notifications, other, { to_email: 'bounce@example.com' });
    await pass();
    expect(await readEmail(notifications, caller, again.id)).toMatchObject({
      ...{ status: 'failed', failure_reason: 'suppressed', sent_at: null },
    });
    expect(await readEmail(notifications, other, others.id)).toMatchObject({ status: 'bounced' });
  });

  test('of a template that does not exist, or is another tenant’s, is refused', async () => {
    const [caller, other] = [newCaller(), newCaller()];
    await registerTemplate(notifications, { tenant_id: other.tenant_id }, 'theirs');
    for (const template_id of ['unknown', 'theirs']) {
      const { body } = await notifications
        .as(caller)
        .post(EMAILS)
        .send({ ...message, template_id })
        .expect(404);
      expect(body.error.code).toBe('TEMPLATE_NOT_FOUND');
    }
    await sendEmail(notifications, other, { template_id: 'theirs' });
  });

  test.each([
    ['status=delivered', 2],
    ['status=queued', 0],
    ['to_email=grace@example.com', 1],
    ['template_id=order-shipped', 2],
    ['template_id=x', 0],
  ])('is found in the list by %s', async (query, total) => {
    const caller = newCaller();
    await sendEmail(notifications, caller);
    await sendEmail(notifications, caller, { to_email: 'grace@example.com' });
    await pass();
    const { body } = await notifications.as(caller).get(`${EMAILS}?${query}`).expect(200);
    expect([body.data.length, body.pagination.total]).toEqual([total, total]);
  });

  test('keeps what fills it out of answers, logs and the database', async () => {
    const caller = newCaller();
    const code = 'secret-one-time-code';
    const { id } = await sendEmail(notifications, caller, { template_data: { order: code } });
    const stored = async () =>
      JSON.stringify(await notifications.deps.db.email.findUnique({ where: { id } }));
    expect(await stored()).not.toContain(code);
    expect(JSON.stringify(await readEmail(notifications, caller, id))).not.toContain(code);
    await pass();
    expect(JSON.parse(await stored()).templateDataSealed).toBeNull();
    expect(notifications.logged()).not.toContain(code);
  });

  test.each<[string, string, unknown]>([
    ['no recipient', 'to_email', undefined],
    ['a recipient that is no address', 'to_email', 'ada'],
    ['two recipients', 'to_email', 'a@example.com,b@example.com'],
    ['a recipient with a header behind it', 'to_email', 'a@example.com\r\nBcc: b@example.com'],
    ['no subject', 'subject', undefined],
    ['a subject with a header behind it', 'subject', 'x\r\nBcc: b@example.com'],
    ['a subject of 256 characters', 'subject', 'x'.repeat(256)],
    ['no template', 'template_id', undefined],
    ['a body', 'html', '<p>x</p>'],
    ['data that is not text', 'template_data.order', { order: 4711 }],
    ['data that is a list', 'template_data', []],
    ['null data', 'template_data', null],
    ['a field with a blank in its name', 'template_data.a b', { 'a b': 'x' }],
  ])('is not accepted with %s', async (_what, field, value) => {
    const body = { ...message, [field.split('.')[0] ?? field]: value };
    const answer = await notifications.as(newCaller()).post(EMAILS).send(body).expect(400);
    expect(answer.body.error.details.map((problem: { field: string }) => problem.field)).toEqual([field]);
  });
});

describe('the rate of a tenant', () => {
  const slow = { EMAIL_RATE_PER_SECOND: '0.001', EMAIL_RATE_BURST: '20' };

  test('lets exactly the burst through, of sixty requests at once to two replicas, and no other tenant waits', async () => {
    const caller = newCaller();
    const replicas = await Promise.all(
      [1, 2].map(() => startTestService(service, { replicaOf: notifications, environment: slow })),
    );
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, n) => replicas[n % 2]!.as(caller).post(EMAILS).send(message)),
    );
    const limited = answers.filter(({ status }) => status === 429);
    expect([answers.filter(({ status }) => status === 202).length, limited.length]).toEqual([20, 40]);
    expect(limited[0]!.body.error.code).toBe('RATE_LIMITED');
    expect(limited[0]!.headers['retry-after']).toBe('1000');
    expect(await notifications.deps.db.email.count({ where: { tenantId: caller.tenant_id } })).toBe(20);
    await sendEmail(replicas[0]!, newCaller());
    await Promise.all(replicas.map((replica) => replica.stop()));
  });

  test('fills again with the time, up to the burst and no further', async () => {
    const caller = newCaller();
    const { db } = notifications.deps;
    const replica = await startTestService(service, { replicaOf: notifications, environment: slow });
    const accepted = async (tries: number) => {
      const send = () => replica.as(caller).post(EMAILS).send(message);
      const answers = await Promise.all(Array.from({ length: tries }, send));
      return answers.filter(({ status }) => status === 202).length;
    };
    expect(await accepted(21)).toBe(20);
    const longAgo = async (seconds: number) => {
      const refilledAt = new Date(Date.now() - seconds * 1_000);
      await db.emailRate.update({ where: { tenantId: caller.tenant_id }, data: { refilledAt } });
    };
    await longAgo(3_500);
    expect(await accepted(6)).toBe(3);
    await longAgo(1_000_000);
    expect(await accepted(25)).toBe(20);
    await replica.stop();
  });

  test('is 10 a second and a burst of 20 unless it is set, and a template that does not exist takes nothing of it', async () => {
    const caller = newCaller();
    const send = (template_id: string) =>
      notifications
        .as(caller)
        .post(EMAILS)
        .send({ ...message, template_id });
    await Promise.all(Array.from({ length: 30 }, () => send('unknown').expect(404)));
    const started = performance.now();
    const answers = await Promise.all(Array.from({ length: 60 }, () => send(message.template_id)));
    const seconds = (performance.now() - started) / 1_000;
    const accepted = answers.filter(({ status }) => status === 202).length;
    expect(accepted).toBeGreaterThanOrEqual(20);
    expect(accepted).toBeLessThanOrEqual(20 + Math.ceil(10 * seconds));
    expect(answers.find(({ status }) => status === 429)?.headers['retry-after']).toBe('1');
  });
});

describe('a provider', () => {
  beforeEach(pass);

  test('that is away gets the e-mail again later, and at last it fails', async () => {
    const caller = newCaller();
    const { id } = await sendEmail(notifications, caller);
    const { replica, sent } = await replicaWith({ kind: 'unavailable', reason: 'postmark_503' });
    const { db } = notifications.deps;
    for (let attempt = 1; attempt <= 9; attempt++) {
      await db.email.update({ where: { id }, data: { nextSendAt: new Date(0) } });
      expect(await replica.pass('send-emails')).toBe(1);
      expect(await replica.pass('send-emails')).toBe(0);
      const { status } = await readEmail(notifications, caller, id);
      expect([attempt, status]).toEqual([attempt, attempt < 9 ? 'queued' : 'failed']);
    }
    expect(sent).toHaveLength(9);
    expect(await readEmail(notifications, caller, id)).toMatchObject({ failure_reason: 'postmark_503' });
    await replica.stop();
  });

  test('gets each e-mail once, however many replicas send', async () => {
    const caller = newCaller();
    const ids = await Promise.all(
      Array.from({ length: 20 }, async () => (await sendEmail(notifications, caller)).id),
    );
    const { replica, sent } = await replicaWith({ kind: 'sent', messageId: '' });
    await Promise.all(Array.from({ length: 4 }, () => replica.pass('send-emails')));
    expect(sent.map((email) => email.id).sort()).toEqual(ids.sort());
    await replica.stop();
  });

  test('whose replica was frozen past its claim cannot overwrite what came after', async () => {
    const caller = newCaller();
    const { id } = await sendEmail(notifications, caller);
    const { db } = notifications.deps;
    const { replica } = await replicaWith({ kind: 'refused', reason: 'late' });
    const frozen = {
      name: 'frozen',
      async send() {
        await db.email.update({ where: { id }, data: { nextSendAt: new Date(0) } });
        await notifications.pass('send-emails');
        return { kind: 'refused' as const, reason: 'late' };
      },
    };
    Object.assign(replica.deps.emailProvider, frozen);
    await replica.pass('send-emails');
    expect(await readEmail(notifications, caller, id)).toMatchObject({
      status: 'delivered',
      failure_reason: null,
    });
    await replica.stop();
  });

  test('that tells a thing twice, too late, or at once, changes nothing by it', async () => {
    const caller = newCaller();
    const { id: emailId } = await sendEmail(notifications, caller);
    const { replica } = await replicaWith({ kind: 'sent', messageId: '' });
    await replica.pass('send-emails');
    const tell = (id: string, kind: 'delivered' | 'bounced' | 'failed', bounceType?: 'hard' | 'soft') =>
      notifications.deps.db.$transaction((transaction) =>
        applyEmailEvent(transaction, {
          ...{ id, kind, provider: 'scripted', emailId, at: new Date(), reason: id },
          ...(bounceType && { bounceType }),
        }),
      );
    const status = async () => (await readEmail(notifications, caller, emailId)).status;
    expect(await status()).toBe('sent');
    await Promise.all([tell('e1', 'delivered'), tell('e1', 'delivered'), tell('e2', 'delivered')]);
    expect(await status()).toBe('delivered');
    await tell('e3', 'failed');
    expect(await status()).toBe('delivered');
    await tell('e4', 'bounced', 'soft');
    const bounced = await readEmail(notifications, caller, emailId);
    expect(bounced).toMatchObject({ status: 'bounced', bounce_type: 'soft', bounce_reason: 'e4' });
    await tell('e5', 'bounced', 'hard');
    await tell('e6', 'delivered');
    expect(await readEmail(notifications, caller, emailId)).toEqual(bounced);
    const { db } = notifications.deps;
    expect(await db.emailSuppression.count({ where: { tenantId: caller.tenant_id } })).toBe(0);
    await replica.stop();
  });
});

describe('the inbox', () => {
  test('shows what was delivered, filled in, newest first, and is emptied', async () => {
    await notifications.as(operator).delete(INBOX).expect(204);
    const caller = newCaller();
    await sendEmail(notifications, caller);
    await sendEmail(notifications, caller, { to_email: 'bounce@example.com' });
    await sendEmail(notifications, caller, { to_email: 'fail@example.com' });
    await pass();
    await sendEmail(notifications, caller, { to_email: 'grace@example.com', subject: 'Second' });
    await pass();
    const all = await inbox();
    expect(all.map(({ to }: { to: string }) => to)).toEqual(['grace@example.com', 'ada@example.com']);
    expect(all[1]).toEqual({
      ...{ id: expect.any(String), kind: 'email', to: 'ada@example.com', from: expect.any(String) },
      ...{ subject: message.subject, text: 'Ada <b>: 4711', created_at: timestamp },
    });
    expect(await inbox('?to=grace@example.com&kind=email')).toHaveLength(1);
    expect(await inbox('?kind=sms')).toEqual([]);
    await notifications.as(operator).delete(INBOX).expect(204);
    expect(await inbox()).toEqual([]);
  });

  test('is not there outside the embedded mode', async () => {
    const live = await startTestService(service, {
      replicaOf: notifications,
      environment: { TRUNKLINE_MODE: 'live', EMAIL_PROVIDER: 'sandbox' },
    });
    await live.as(operator).get(INBOX).expect(404);
    await live.as(operator).delete(INBOX).expect(404);
    await live.stop();
  });
});

describe('outside the embedded mode', () => {
  test.each<[string, Record<string, string>, RegExp]>([
    ['no provider', {}, /EMAIL_PROVIDER/],
    ['no sender', { EMAIL_PROVIDER: 'smtp', SMTP_URL: 'smtp://x' }, /EMAIL_FROM/],
    ['no mail server', { EMAIL_PROVIDER: 'smtp', EMAIL_FROM: 'a@b.example' }, /SMTP_URL/],
    ['no token', { EMAIL_PROVIDER: 'postmark', EMAIL_FROM: 'a@b.example' }, /POSTMARK_SERVER_TOKEN/],
  ])('the service does not start with %s', (_what, environment, problem) => {
    const settings = config.read({ TRUNKLINE_MODE: 'live', ...environment });
    const outboundHttp = {} as OutboundHttp;
    expect(() => createEmailProvider(settings, { embedded: false, outboundHttp })).toThrow(problem);
  });
});

describe('another service', () => {
  const ask = (request: Partial<notificationsContract.SendEmailRequest>) =>
    notifications.rpc.call(notificationsContract.sendEmail, {
      ...{ tenant_id: newCaller().tenant_id, idempotency_key: randomUUID() },
      ...{ to_email: 'ops@acme.example', template_id: 'order-shipped', template_data: { order: '4711' } },
      ...request,
    });

  test('sends an e-mail with the subject of the template', async () => {
    const caller = newCaller();
    const { id, status } = await ask({ tenant_id: caller.tenant_id });
    expect(status).toBe('queued');
    expect(await readEmail(notifications, caller, id)).toMatchObject({ subject: 'Order 4711' });
    const own = await ask({ tenant_id: caller.tenant_id, subject: 'Own' });
    expect(await readEmail(notifications, caller, own.id)).toMatchObject({ subject: 'Own' });
  });

  test('that asks with one key again and at once gets the one e-mail, and no rate holds it up', async () => {
    const { tenant_id } = newCaller();
    const same = { tenant_id, idempotency_key: 'k' };
    const answers = await Promise.all(Array.from({ length: 10 }, () => ask(same)));
    expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
    await Promise.all(Array.from({ length: 40 }, () => ask({ tenant_id })));
    expect(await notifications.deps.db.email.count({ where: { tenantId: tenant_id } })).toBe(41);
    expect((await ask({ ...same, tenant_id: newCaller().tenant_id })).id).not.toBe(answers[0]!.id);
  });

  test('is told of a template that does not exist', async () => {
    await expect(ask({ template_id: 'unknown' })).rejects.toMatchObject({ code: 'TEMPLATE_NOT_FOUND' });
  });
});

describe('a template', () => {
  const put = (body: object, id = 'order-shipped') =>
    notifications.as(operator).put(`${TEMPLATES}/${id}`).send(body);
  const text = { subject: 's', html: '<p></p>', text: '' };

  test('is replaced by a second PUT, listed, and what was read can be put back', async () => {
    const first = await registerTemplate(notifications, {}, 'replaced');
    expect(first).toMatchObject({ template_id: 'replaced', tenant_id: null, subject: 'Order {{order}}' });
    const { body } = await put({ ...first, html: '<b>{{name}}</b>' }, 'replaced').expect(200);
    expect(body).toEqual({ ...first, html: '<b>{{name}}</b>', updated_at: timestamp });
    const list = (await notifications.as(operator).get(`${TEMPLATES}?per_page=100`).expect(200)).body;
    expect(
      list.data.filter(({ template_id }: { template_id: string }) => template_id === 'replaced'),
    ).toEqual([body]);
  });

  test('of a tenant wins over the one for all', async () => {
    const caller = newCaller();
    await registerTemplate(notifications, { tenant_id: caller.tenant_id, text: 'own {{order}}' });
    await sendEmail(notifications, caller, { to_email: 'own@example.com' });
    await sendEmail(notifications, newCaller(), { to_email: 'all@example.com' });
    await pass();
    expect((await inbox('?to=own@example.com'))[0].text).toBe('own 4711');
    expect((await inbox('?to=all@example.com'))[0].text).toBe('Ada <b>: 4711');
  });

  test.each<[string, object, string]>([
    ['without html', { subject: 's' }, 'html'],
    ['without a subject', { html: 'x' }, 'subject'],
    ['that is not closed', { ...text, html: '{{#if a}}' }, 'html'],
    ['with a helper that nobody knows', { ...text, text: '{{#shout a}}x{{/shout}}' }, 'text'],
    ['of a tenant that cannot be', { ...text, tenant_id: 'x' }, 'tenant_id'],
    ['with a key nobody knows', { ...text, colour: 'red' }, 'colour'],
  ])('%s is refused', async (_what, body, field) => {
    const answer = await put(body).expect(400);
    expect(answer.body.error.details[0].field).toBe(field);
  });

  test('has an id of letters, digits, dots and hyphens', async () => {
    await put(text, 'a%20b').expect(404);
    await put(text, '__proto__').expect(200);
  });
});
