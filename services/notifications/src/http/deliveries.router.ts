import { ok, paginated, paginatedSchema, routesOf, window, type Reply } from '@trunkline/http';
import type { Deps } from '../deps.js';
import { getDelivery, listDeliveries } from '../storage/deliveries.js';
import { listAttempts } from '../storage/delivery-attempts.js';
import { getSubscription } from '../storage/subscriptions.js';
import { recoverDeliveries, retryDelivery, testSubscription } from '../use-cases/repeat-deliveries.js';
import {
  attempt,
  attemptExample,
  attemptsQuery,
  deliveryParams,
  recoverBody,
  recovered,
} from './deliveries.schemas.js';
import { deliveriesQuery, logEntry, logEntryExample } from './notifications.schemas.js';
import { attemptView, logEntryView } from './notifications.view.js';
import { WEBHOOKS } from './tags.js';
import { subscriptionParams } from './webhooks.schemas.js';

const route = routesOf<Deps>();
const path = '/v1/notifications/webhooks/:id';
const pending = {
  ...logEntryExample,
  status: 'pending',
  attempts: 0,
  last_attempt_at: null,
  last_error: null,
};
const accepted = (body: unknown): Reply => ({ status: 202, body });

/** The delivery log of one subscription, and what can be delivered again (decisions 8). */
export const deliveryRoutes = [
  route({
    ...{ operationId: 'listDeliveries', method: 'get', audience: 'account', tag: WEBHOOKS },
    path: `${path}/deliveries`,
    summary: 'List the deliveries to a webhook, newest first',
    params: subscriptionParams,
    query: deliveriesQuery,
    responses: {
      200: {
        description: 'A page of log entries',
        schema: paginatedSchema(logEntry),
        example: paginated([logEntryExample], 1, { page: 1, per_page: 20 }),
      },
    },
    errors: ['NOT_FOUND'],
    async handle({ db }, { caller, params, query }) {
      const { id: subscriptionId } = await getSubscription(db, caller.tenant_id, params.id);
      const filter = { eventType: query.event_type, status: query.status, subscriptionId };
      const { entries, total } = await listDeliveries(db, caller.tenant_id, filter, window(query));
      return ok(paginated(entries.map(logEntryView), total, query));
    },
  }),
  route({
    ...{ operationId: 'listDeliveryAttempts', method: 'get', audience: 'account', tag: WEBHOOKS },
    path: `${path}/deliveries/:delivery_id/attempts`,
    summary: 'List the attempts of a delivery, the latest first',
    params: deliveryParams,
    query: attemptsQuery,
    responses: {
      200: {
        description: 'A page of attempts',
        schema: paginatedSchema(attempt),
        example: paginated([attemptExample], 1, { page: 1, per_page: 20 }),
      },
    },
    errors: ['NOT_FOUND'],
    async handle({ db }, { caller, params, query }) {
      await getSubscription(db, caller.tenant_id, params.id);
      const { id } = await getDelivery(db, caller.tenant_id, params.delivery_id, params.id);
      const { attempts, total } = await listAttempts(db, id, window(query));
      return ok(paginated(attempts.map(attemptView), total, query));
    },
  }),
  route({
    ...{ operationId: 'retryDelivery', method: 'post', audience: 'account', tag: WEBHOOKS },
    path: `${path}/deliveries/:delivery_id/retry`,
    summary: 'Deliver an event again',
    description: 'Whatever became of it before. A delivery that is still under way is left alone.',
    params: deliveryParams,
    responses: { 202: { description: 'The log entry', schema: logEntry, example: pending } },
    errors: ['NOT_FOUND'],
    handle: async (deps, { caller, params }) =>
      accepted(logEntryView(await retryDelivery(deps, caller.tenant_id, params.id, params.delivery_id))),
  }),
  route({
    ...{ operationId: 'recoverWebhook', method: 'post', audience: 'account', tag: WEBHOOKS },
    path: `${path}/recover`,
    summary: 'Deliver again what failed during an outage',
    params: subscriptionParams,
    body: recoverBody,
    bodyExample: { since: '2026-11-20T08:00:00Z', until: '2026-11-20T09:30:00Z' },
    responses: {
      202: { description: 'How many are delivered again', schema: recovered, example: { count: 42 } },
    },
    errors: ['NOT_FOUND'],
    handle: async (deps, { caller, params, body }) =>
      accepted({ count: await recoverDeliveries(deps, caller.tenant_id, params.id, body) }),
  }),
  route({
    ...{ operationId: 'testWebhook', method: 'post', audience: 'account', tag: WEBHOOKS },
    path: `${path}/test`,
    summary: 'Deliver a `webhook.test` event to this webhook alone',
    description: 'Whatever events it listens to, and also while it is not active.',
    params: subscriptionParams,
    responses: {
      202: {
        description: 'The log entry',
        schema: logEntry,
        example: { ...pending, event_type: 'webhook.test' },
      },
    },
    errors: ['NOT_FOUND'],
    handle: async (deps, { caller, params, requestId }) =>
      accepted(logEntryView(await testSubscription(deps, caller.tenant_id, params.id, requestId))),
  }),
];
