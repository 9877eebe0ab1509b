import { ok, paginated, paginatedSchema, routesOf, window } from '@trunkline/http';
import type { Deps } from '../deps.js';
import { getNotification, listDeliveries } from '../storage/deliveries.js';
import { newTenantEvent, publishEvents } from '../use-cases/publish-event.js';
import {
  logEntry,
  logEntryExample,
  notificationParams,
  notificationsQuery,
  publishBody,
  published,
} from './notifications.schemas.js';
import { logEntryView } from './notifications.view.js';
import { NOTIFICATIONS } from './tags.js';

const route = routesOf<Deps>();
const path = '/v1/notifications/notifications';
const example = { event_type: 'order.shipped', payload: '{"order": 4711}' };

/** Events of a tenant's own, and its delivery log (specification, Notifications and email; decisions 8). */
export const notificationRoutes = [
  route({
    ...{ operationId: 'publishNotification', method: 'post', path, audience: 'account', tag: NOTIFICATIONS },
    summary: 'Publish an event to your webhooks',
    description:
      'The log entries exist when this is answered: one for each active subscription that matches.',
    body: publishBody,
    bodyExample: example,
    responses: {
      202: {
        description: 'Accepted: it is delivered, or shows as failed in the log',
        schema: published,
        example: { id: logEntryExample.id, event_type: example.event_type, queued_subscriptions: 1 },
      },
    },
    errors: [],
    async handle(deps, { caller, body, requestId }) {
      const event = newTenantEvent(
        deps,
        caller.tenant_id,
        { type: body.event_type, payload: body.payload },
        requestId,
      );
      const entries = await publishEvents(deps, [event]);
      const id = entries[0]?.id ?? event.id;
      return {
        status: 202,
        body: { id, event_type: event.type, queued_subscriptions: entries.length },
      };
    },
  }),
  route({
    ...{ operationId: 'listNotifications', method: 'get', path, audience: 'account', tag: NOTIFICATIONS },
    summary: 'List the delivery log, newest first',
    query: notificationsQuery,
    responses: {
      200: {
        description: 'A page of log entries',
        schema: paginatedSchema(logEntry),
        example: paginated([logEntryExample], 1, { page: 1, per_page: 20 }),
      },
    },
    errors: [],
    async handle({ db }, { caller, query }) {
      const { event_type: eventType, status, subscription_id: subscriptionId } = query;
      const filter = { eventType, status, subscriptionId };
      const { entries, total } = await listDeliveries(db, caller.tenant_id, filter, window(query));
      return ok(paginated(entries.map(logEntryView), total, query));
    },
  }),
  route({
    ...{ operationId: 'getNotification', method: 'get', audience: 'account', tag: NOTIFICATIONS },
    path: `${path}/:id`,
    summary: 'Read a log entry',
    description:
      'The id of an event that matched no subscription is answered in the same form: nobody got it, so its status is `failed`, ' +
      'with no attempts and the error `no_matching_subscription`.',
    params: notificationParams,
    responses: { 200: { description: 'The log entry', schema: logEntry, example: logEntryExample } },
    errors: ['NOT_FOUND'],
    handle: async ({ db }, { caller, params }) =>
      ok(logEntryView(await getNotification(db, caller.tenant_id, params.id))),
  }),
];
