import Joi from 'joi';
import { pageQuery, uuid, type Page } from '@trunkline/http';
import { timestamp } from './webhooks.schemas.js';

export const deliveryParams = Joi.object<{ id: string; delivery_id: string }>({
  id: uuid.required(),
  delivery_id: uuid.required(),
});

export const attemptsQuery = Joi.object<Page>(pageQuery);

/** With its time zone: a time that everybody reads alike. */
const moment = Joi.string()
  .pattern(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/)
  .custom((value: string, { error }) => (Number.isNaN(Date.parse(value)) ? error('moment') : value))
  .messages({
    'string.pattern.base': '{{#label}} must be an ISO 8601 time such as 2026-11-20T09:00:00Z',
    moment: '{{#label}} must be an ISO 8601 time such as 2026-11-20T09:00:00Z',
  });

export interface RecoverBody {
  since: string;
  until?: string;
}

export const recoverBody = Joi.object<RecoverBody>({
  since: moment.required().description('Accepted at or after this'),
  until: moment.description('Accepted before this; now when it is left out'),
});

export const recovered = Joi.object({ count: Joi.number().integer().min(0).required() }).id('Recovery');

export const attempt = Joi.object({
  id: uuid.required(),
  delivery_id: uuid.required(),
  generation: Joi.number().integer().min(0).required().description('Raised by each retry and recovery'),
  attempt: Joi.number().integer().min(1).required().description('Within its generation'),
  outcome: Joi.string().valid('delivered', 'retrying', 'failed').required(),
  response_status: Joi.number().integer().allow(null).required(),
  error: Joi.string().allow('', null).required(),
  response_excerpt: Joi.string().allow('', null).required().description('First bytes of the answer'),
  duration_ms: Joi.number().integer().min(0).required(),
  attempted_at: timestamp.required(),
  next_attempt_at: timestamp.allow(null).required(),
}).id('DeliveryAttempt');

export const attemptExample = {
  id: '9c5e1f70-2a4d-4b38-8f16-0d7b3c9e5a12',
  delivery_id: '01939f3a-7c40-7d5b-8a1e-4f6c2b9d0e71',
  generation: 0,
  attempt: 1,
  outcome: 'retrying',
  response_status: 503,
  error: 'HTTP 503',
  response_excerpt: 'upstream is away',
  duration_ms: 42,
  attempted_at: '2026-11-20T09:10:00.000Z',
  next_attempt_at: '2026-11-20T09:10:01.000Z',
};
