import Joi from 'joi';
import { notFound } from '@trunkline/errors';
import { noContent, ok, routesOf, uuid } from '@trunkline/http';
import type { Deps } from '../deps.js';
import { emptyInbox, listInbox } from '../storage/inbox.js';
import { inboxView } from './emails.view.js';
import { SANDBOX } from './tags.js';
import { filterText, timestamp } from './webhooks.schemas.js';

const route = routesOf<Deps>();
const path = '/sandbox/v1/inbox';

const kind = Joi.string().valid('sms', 'voice', 'chatapp', 'email');
const text = Joi.string().allow('').required();
const message = Joi.object({
  ...{ id: uuid.required(), kind: kind.required(), to: text, from: text, subject: text, text },
  created_at: timestamp.required(),
}).id('InboxMessage');
const example = {
  ...{ id: '01939f3a-7c40-7d5b-8a1e-4f6c2b9d0e72', kind: 'email', to: 'ada@example.com' },
  ...{ from: 'no-reply@trunkline.example', subject: 'Your order is on its way' },
  ...{ text: 'Hello Ada, your order 4711 is on its way.', created_at: '2026-11-20T09:00:00.000Z' },
};

/** The sandbox inbox (decisions 15). Outside the embedded mode there is none: 404. */
export const inboxRoutes = [
  route({
    ...{ operationId: 'listInbox', method: 'get', path, audience: 'operator', tag: SANDBOX },
    summary: 'List what would have left the platform, newest first',
    description: 'The latest 1,000.',
    query: Joi.object<{ to?: string; kind?: string }>({ to: filterText, kind }),
    responses: {
      200: {
        description: 'The messages',
        schema: Joi.object({ data: Joi.array().items(message).required() }),
        example: { data: [example] },
      },
    },
    errors: ['NOT_FOUND'],
    async handle({ db, sandbox }, { query }) {
      if (!sandbox) throw notFound('path');
      return ok({ data: (await listInbox(db, query)).map(inboxView) });
    },
  }),
  route({
    ...{ operationId: 'emptyInbox', method: 'delete', path, audience: 'operator', tag: SANDBOX },
    summary: 'Empty the inbox',
    responses: { 204: { description: 'Emptied' } },
    errors: ['NOT_FOUND'],
    async handle({ db, sandbox }) {
      if (!sandbox) throw notFound('path');
      await emptyInbox(db);
      return noContent();
    },
  }),
];
