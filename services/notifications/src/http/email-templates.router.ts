import Joi from 'joi';
import {
  ok,
  pageQuery,
  paginated,
  paginatedSchema,
  readOnly,
  routesOf,
  window,
  type Page,
} from '@trunkline/http';
import { templateProblem } from '../adapters/render-template.js';
import type { Deps } from '../deps.js';
import { listTemplates, PLATFORM, saveTemplate } from '../storage/email-templates.js';
import { templateId } from './emails.schemas.js';
import { templateView } from './emails.view.js';
import { EMAILS } from './tags.js';
import { timestamp } from './webhooks.schemas.js';

const route = routesOf<Deps>();
const path = '/operator/v1/email-templates';

const template = Joi.string()
  .max(262_144)
  .custom((value: string, { error }) => (templateProblem(value) === undefined ? value : error('template')))
  .messages({ template: '{{#label}} is not a handlebars template' });
const tenantId = Joi.string()
  .pattern(/^TJ[0-9A-F]{8}$/)
  .messages({ 'string.pattern.base': '{{#label}} must be the id of a tenant' })
  .allow(null)
  .description('Null: for all tenants. A tenant’s own template wins');
const text = { subject: template.max(255).required(), html: template.required(), text: template.allow('') };

const body = Joi.object<{ tenant_id: string | null; subject: string; html: string; text: string }>({
  ...text,
  text: text.text.default(''),
  tenant_id: tenantId.default(null),
  ...readOnly('template_id', 'created_at', 'updated_at'),
});
const shown = Joi.object({
  ...{
    template_id: templateId.required(),
    tenant_id: tenantId.required(),
    ...text,
    text: text.text.required(),
  },
  ...{ created_at: timestamp.required(), updated_at: timestamp.required() },
}).id('EmailTemplate');

const input = {
  tenant_id: null,
  subject: 'Order {{order}}',
  html: '<p>Hello {{name}}, your order {{order}} is on its way.</p>',
  text: 'Hello {{name}}, your order {{order}} is on its way.',
};
const example = {
  ...{ template_id: 'order-shipped', ...input },
  ...{ created_at: '2026-11-20T09:00:00.000Z', updated_at: '2026-11-20T09:00:00.000Z' },
};

/** Operator API: which e-mails may be sent (decisions 14). */
export const emailTemplateRoutes = [
  route({
    ...{ operationId: 'putEmailTemplate', method: 'put', audience: 'operator', tag: EMAILS },
    path: `${path}/:template_id`,
    summary: 'Register an e-mail template, or replace it',
    description:
      '`{{name}}` stands for a field of `template_data`, escaped in `html`. A provider that fills templates by itself needs one ' +
      'under the same id (Postmark: alias); there `subject`, `html` and `text` are not used.',
    params: Joi.object<{ template_id: string }>({ template_id: templateId.required() }),
    body,
    bodyExample: input,
    responses: { 200: { description: 'The template', schema: shown, example } },
    errors: [],
    async handle({ db }, { params, body: { tenant_id: tenant, ...fields } }) {
      const key = { templateId: params.template_id, owner: tenant ?? PLATFORM };
      return ok(templateView(await saveTemplate(db, key, fields)));
    },
  }),
  route({
    ...{ operationId: 'listEmailTemplates', method: 'get', path, audience: 'operator', tag: EMAILS },
    summary: 'List the e-mail templates, newest first',
    query: Joi.object<Page>(pageQuery),
    responses: {
      200: {
        description: 'A page of templates',
        schema: paginatedSchema(shown),
        example: paginated([example], 1, { page: 1, per_page: 20 }),
      },
    },
    errors: [],
    async handle({ db }, { query }) {
      const { templates, total } = await listTemplates(db, window(query));
      return ok(paginated(templates.map(templateView), total, query));
    },
  }),
];
