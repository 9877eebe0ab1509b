import { ok, paginated, paginatedSchema, routesOf, window } from '@trunkline/http';
import type { Deps } from '../deps.js';
import { getEmail, listEmails } from '../storage/emails.js';
import { acceptEmail } from '../use-cases/accept-email.js';
import {
  acceptedEmail,
  acceptedExample,
  email,
  emailEntry,
  emailExample,
  emailParams,
  emailsQuery,
  entryExample,
  sendEmailBody,
} from './emails.schemas.js';
import { emailEntryView, emailView } from './emails.view.js';
import { EMAILS } from './tags.js';

const route = routesOf<Deps>();
const path = '/v1/notifications/emails';

/** Templated e-mail of a tenant (specification, Notifications and email; decisions 8). */
export const emailRoutes = [
  route({
    ...{ operationId: 'sendEmail', method: 'post', path, audience: 'account', tag: EMAILS },
    summary: 'Send an e-mail from a registered template',
    description:
      'At most 10 a second, 20 at once. An address that bounced for good is not written to again: such an e-mail fails.',
    body: sendEmailBody,
    bodyExample: {
      to_email: acceptedExample.to_email,
      subject: acceptedExample.subject,
      template_id: acceptedExample.template_id,
      template_data: { name: 'Ada', order: '4711' },
    },
    responses: {
      202: { description: 'The e-mail is queued', schema: acceptedEmail, example: acceptedExample },
    },
    errors: ['TEMPLATE_NOT_FOUND', 'RATE_LIMITED'],
    handle: async (deps, { caller, body }) => ({
      status: 202,
      body: await acceptEmail(deps, caller.tenant_id, body),
    }),
  }),
  route({
    ...{ operationId: 'listEmails', method: 'get', path, audience: 'account', tag: EMAILS },
    summary: 'List your e-mails, newest first',
    query: emailsQuery,
    responses: {
      200: {
        description: 'A page of e-mails',
        schema: paginatedSchema(emailEntry),
        example: paginated([entryExample], 1, { page: 1, per_page: 20 }),
      },
    },
    errors: [],
    async handle({ db }, { caller, query }) {
      const { status, to_email: toEmail, template_id: templateId } = query;
      const filter = {
        ...(status !== undefined && { status }),
        ...(toEmail !== undefined && { toEmail }),
        ...(templateId !== undefined && { templateId }),
      };
      const { emails, total } = await listEmails(db, caller.tenant_id, filter, window(query));
      return ok(paginated(emails.map(emailEntryView), total, query));
    },
  }),
  route({
    ...{ operationId: 'getEmail', method: 'get', path: `${path}/:id`, audience: 'account', tag: EMAILS },
    summary: 'Read an e-mail and what became of it',
    params: emailParams,
    responses: { 200: { description: 'The e-mail', schema: email, example: emailExample } },
    errors: ['NOT_FOUND'],
    handle: async ({ db }, { caller, params }) =>
      ok(emailView(await getEmail(db, caller.tenant_id, params.id))),
  }),
];
