import Joi from 'joi';
import { pageQuery, uuid, type Page } from '@trunkline/http';
import type { DeliveryStatus } from '../storage/deliveries.js';
import { eventType, filterText, timestamp } from './webhooks.schemas.js';

export const notificationParams = Joi.object<{ id: string }>({ id: uuid.required() });

/** Escaped once more in the envelope it may double, and one message of the bus holds little over 1 MiB. */
const MAX_PAYLOAD_BYTES = 262_144;

const payload = Joi.string()
  .max(MAX_PAYLOAD_BYTES, 'utf8')
  .custom((value: string, { error }) => (isJson(value) ? value : error('json')))
  .messages({ json: '{{#label}} must be JSON text' })
  .description('JSON text: the `data` of the deliveries, verbatim');

export const publishBody = Joi.object<{ event_type: string; payload: string }>({
  event_type: eventType.required(),
  payload: payload.required(),
});

export const published = Joi.object({
  id: uuid.required().description('Of the first log entry; of the event itself when no subscription matched'),
  event_type: eventType.required(),
  queued_subscriptions: Joi.number().integer().min(0).required(),
}).id('PublishedNotification');

const status = Joi.string<DeliveryStatus>().valid('pending', 'delivered', 'failed');

const filters = {
  event_type: filterText,
  status,
  ...pageQuery,
};

export interface DeliveriesQuery extends Page {
  event_type?: string;
  status?: DeliveryStatus;
}

export const deliveriesQuery = Joi.object<DeliveriesQuery>(filters);
export const notificationsQuery = Joi.object<DeliveriesQuery & { subscription_id?: string }>({
  ...filters,
  subscription_id: uuid,
});

export const logEntry = Joi.object({
  id: uuid.required().description('Also the delivery id in the headers and the body of the deliveries'),
  subscription_id: uuid.allow(null).required().description('Null: the event matched no subscription'),
  event_type: Joi.string().required(),
  payload: Joi.string().required(),
  status: status.required(),
  attempts: Joi.number().integer().min(0).required(),
  last_attempt_at: timestamp.allow(null).required(),
  last_error: Joi.string().allow('', null).required().description('Reason of the last failed attempt'),
  created_at: timestamp.required(),
}).id('Notification');

export const logEntryExample = {
  id: '01939f3a-7c40-7d5b-8a1e-4f6c2b9d0e71',
  subscription_id: '2f9d1c7a-64b8-4f0e-9a53-7c1e8b2d4f60',
  event_type: 'order.shipped',
  payload: '{"order": 4711}',
  status: 'delivered',
  attempts: 2,
  last_attempt_at: '2026-11-20T09:10:01.000Z',
  last_error: 'HTTP 503',
  created_at: '2026-11-20T09:10:00.000Z',
};

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
