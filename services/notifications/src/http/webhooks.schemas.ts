import Joi from 'joi';
import { readOnly, uuid } from '@trunkline/http';
import { EVENT_NAME } from '../domain/event-name.js';
import type { SubscriptionFields } from '../use-cases/subscription-fields.js';

export const timestamp = Joi.string().isoDate();

/** A value to filter by. What PostgreSQL cannot hold is in no record. */
export const filterText = Joi.string()
  .max(255)
  .pattern(/^[^\0]*$/)
  .messages({ 'string.pattern.base': '{{#label}} contains a character that cannot be stored' });

/** `:id` of a subscription. */
export const subscriptionParams = Joi.object<{ id: string }>({ id: uuid.required() });

/** A free-form name of an event. */
export const eventType = Joi.string().pattern(EVENT_NAME).messages({
  'string.pattern.base': '{{#label}} must be 1 to 100 printable ASCII characters without blanks at the ends',
});

const url = Joi.string().max(2_048).description('https URL that every matching event is POSTed to');
// The first problem is enough: a list far too long is not looked through.
const events = Joi.array()
  .min(1)
  .max(100)
  .items(eventType)
  .unique()
  .prefs({ abortEarly: true })
  .description('Names of events; `*` means all of them, future ones too');
const secret = Joi.string()
  .min(16)
  .max(256)
  .pattern(/^[\x21-\x7e]*$/)
  .messages({ 'string.pattern.base': '{{#label}} must be printable ASCII without blanks' })
  .description('Signs the deliveries. Shown only in the answer to the request that sets it');
const active = Joi.boolean();
const maxRetries = Joi.number()
  .integer()
  .min(0)
  .max(10)
  .description(
    'Attempts after the first one that failed: 1, 4, 16, 64 and 256 s later, so at most 5 are made',
  );
const timeoutMs = Joi.number().integer().min(100).max(30_000).description('For one attempt, in milliseconds');

export const createSubscriptionBody = Joi.object<SubscriptionFields>({
  url: url.required(),
  events: events.required(),
  secret,
  active: active.default(true),
  max_retries: maxRetries.default(3),
  timeout_ms: timeoutMs.default(5_000),
  ...readOnly('id', 'created_at', 'updated_at'),
});

/** Only the keys present are applied. */
export const changeSubscriptionBody = Joi.object<Partial<SubscriptionFields>>({
  url,
  events,
  secret,
  active,
  max_retries: maxRetries,
  timeout_ms: timeoutMs,
  ...readOnly('id', 'created_at', 'updated_at'),
});

export const subscription = Joi.object({
  id: uuid.required(),
  url: url.required(),
  events: events.required(),
  active: active.required(),
  max_retries: maxRetries.required(),
  timeout_ms: timeoutMs.required(),
  created_at: timestamp.required(),
  updated_at: timestamp.required(),
}).id('Webhook');

export const subscriptionWithSecret = subscription.append({ secret }).id('WebhookWithSecret');

export const subscriptionExample = {
  id: '2f9d1c7a-64b8-4f0e-9a53-7c1e8b2d4f60',
  url: 'https://hooks.acme.example/trunkline',
  events: ['call.completed', 'order.shipped'],
  active: true,
  max_retries: 3,
  timeout_ms: 5_000,
  created_at: '2026-11-20T09:00:00.000Z',
  updated_at: '2026-11-20T09:00:00.000Z',
};
