import Joi from 'joi';
import { created, noContent, ok, routesOf } from '@trunkline/http';
import type { Deps } from '../deps.js';
import { deleteSubscription, getSubscription, listSubscriptions } from '../storage/subscriptions.js';
import { changeSubscription } from '../use-cases/change-subscription.js';
import { createSubscription } from '../use-cases/create-subscription.js';
import { WEBHOOKS } from './tags.js';
import {
  changeSubscriptionBody,
  createSubscriptionBody,
  subscription,
  subscriptionExample,
  subscriptionParams,
  subscriptionWithSecret,
} from './webhooks.schemas.js';
import { subscriptionView, withSecretView } from './webhooks.view.js';

const route = routesOf<Deps>();
const path = '/v1/notifications/webhooks';
const secret = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';

/** Webhook subscriptions of a tenant (specification, Webhook subscriptions; decisions 8). */
export const webhookRoutes = [
  route({
    ...{ operationId: 'createWebhook', method: 'post', path, audience: 'account', tag: WEBHOOKS },
    summary: 'Subscribe a URL to events',
    description:
      'A `secret` is made when none is given. It is stored encrypted and shown only in this answer.',
    body: createSubscriptionBody,
    bodyExample: { url: subscriptionExample.url, events: subscriptionExample.events },
    responses: {
      201: {
        description: 'The subscription and its secret',
        schema: subscriptionWithSecret,
        example: { ...subscriptionExample, secret },
      },
    },
    errors: [],
    handle: async (deps, { caller, body }) =>
      created(withSecretView(await createSubscription(deps, caller.tenant_id, body))),
  }),
  route({
    ...{ operationId: 'listWebhooks', method: 'get', path, audience: 'account', tag: WEBHOOKS },
    summary: 'List your webhook subscriptions, newest first',
    responses: {
      200: {
        description: 'The subscriptions',
        schema: Joi.object({ data: Joi.array().items(subscription).required() }),
        example: { data: [subscriptionExample] },
      },
    },
    errors: [],
    handle: async ({ db }, { caller }) =>
      ok({ data: (await listSubscriptions(db, caller.tenant_id)).map(subscriptionView) }),
  }),
  route({
    ...{ operationId: 'getWebhook', method: 'get', path: `${path}/:id`, audience: 'account', tag: WEBHOOKS },
    summary: 'Read a webhook subscription',
    params: subscriptionParams,
    responses: {
      200: { description: 'The subscription', schema: subscription, example: subscriptionExample },
    },
    errors: ['NOT_FOUND'],
    handle: async ({ db }, { caller, params }) =>
      ok(subscriptionView(await getSubscription(db, caller.tenant_id, params.id))),
  }),
  route({
    ...{
      operationId: 'changeWebhook',
      method: 'put',
      path: `${path}/:id`,
      audience: 'account',
      tag: WEBHOOKS,
    },
    summary: 'Change a webhook subscription',
    description:
      'Only the keys present are applied. A new `secret` replaces the old one, which goes on signing beside it for 24 hours.',
    params: subscriptionParams,
    body: changeSubscriptionBody,
    bodyExample: { active: false },
    responses: {
      200: {
        description: 'The changed subscription, with the `secret` if this request set it',
        schema: subscriptionWithSecret,
        example: { ...subscriptionExample, active: false },
      },
    },
    errors: ['NOT_FOUND'],
    handle: async (deps, { caller, params, body }) =>
      ok(withSecretView(await changeSubscription(deps, caller.tenant_id, params.id, body))),
  }),
  route({
    ...{
      operationId: 'deleteWebhook',
      method: 'delete',
      path: `${path}/:id`,
      audience: 'account',
      tag: WEBHOOKS,
    },
    summary: 'Delete a webhook subscription',
    description: 'Deliveries that are under way finish; no new one begins. The delivery log is kept.',
    params: subscriptionParams,
    responses: { 204: { description: 'Deleted' } },
    errors: ['NOT_FOUND'],
    async handle({ db }, { caller, params }) {
      await deleteSubscription(db, caller.tenant_id, params.id);
      return noContent();
    },
  }),
];
