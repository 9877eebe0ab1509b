import type { AccountCaller } from '@trunkline/http';
import type { EmailProvider, SendOutcome } from '../src/adapters/email-provider.js';
import type { Notifications } from './webhook-fixtures.js';

export const EMAILS = '/v1/notifications/emails';
export const TEMPLATES = '/operator/v1/email-templates';
export const operator = { kind: 'operator' } as const;
export const message = {
  to_email: 'ada@example.com',
  subject: 'Your order',
  template_id: 'order-shipped',
  template_data: { name: 'Ada <b>', order: '4711' },
};

export async function registerTemplate(
  service: Notifications,
  fields: object = {},
  id = message.template_id,
) {
  const template = {
    subject: 'Order {{order}}',
    html: '<p>{{name}}: {{order}}</p>',
    text: '{{name}}: {{order}}',
    ...fields,
  };
  return (await service.as(operator).put(`${TEMPLATES}/${id}`).send(template).expect(200)).body;
}

export async function sendEmail(service: Notifications, as: AccountCaller, fields: object = {}) {
  const { body } = await service
    .as(as)
    .post(EMAILS)
    .send({ ...message, ...fields })
    .expect(202);
  return body as { id: string };
}

export const readEmail = async (service: Notifications, as: AccountCaller, id: string) =>
  (await service.as(as).get(`${EMAILS}/${id}`).expect(200)).body;

/** A provider that answers as it is told, and keeps what it was given. */
export function scriptedProvider(...outcomes: SendOutcome[]) {
  const sent: Parameters<EmailProvider['send']>[0][] = [];
  const provider: EmailProvider = {
    name: 'scripted',
    send(email) {
      sent.push(email);
      const outcome = outcomes.length > 1 ? outcomes.shift()! : outcomes[0]!;
      return Promise.resolve(outcome.kind === 'sent' ? { ...outcome, messageId: `m-${email.id}` } : outcome);
    },
  };
  return { provider, sent };
}
