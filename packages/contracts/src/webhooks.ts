/** What travels between `services/notifications` and `services/webhook-dispatcher`, over the bus. */
import Joi from 'joi';
import { defineEvent, defineTopic, type EventEnvelope } from './events.js';

/** Topic of what is to be delivered; key: the subscription. From notifications to webhook-dispatcher. */
export const WEBHOOK_DELIVERIES = 'webhook-deliveries';
/** Topic of what came of it; key: the subscription. From webhook-dispatcher to notifications. */
export const WEBHOOK_ATTEMPTS = 'webhook-attempts';

/** One delivery to make: all that the dispatcher needs, so that it asks nobody. */
export interface WebhookDelivery {
  /** The log entry's id, the same across retries: `X-Service-Delivery`. */
  delivery_id: string;
  /** Raised by each manual retry or recovery: results of an older generation change nothing. */
  generation: number;
  subscription_id: string;
  tenant_id: string;
  url: string;
  /** Signing secrets, newest first, sealed under the context `webhook-secret:<subscription_id>`; two during a rotation. */
  sealed_secrets: { sealed: string; valid_until: string | null }[];
  event_type: string;
  occurred_at: string;
  /** The event's data: JSON text, put into the body verbatim. */
  payload: string;
  /** Retries after the first attempt, effective up to 5. */
  max_retries: number;
  timeout_ms: number;
  request_id?: string;
}

/** One attempt that was made. */
export interface WebhookAttempt {
  attempt_id: string;
  delivery_id: string;
  generation: number;
  subscription_id: string;
  tenant_id: string;
  /** 1 for the first attempt of a generation. */
  attempt: number;
  /** `retrying`: failed, and another attempt follows at `next_attempt_at`. `delivered` and `failed` are final. */
  outcome: 'delivered' | 'retrying' | 'failed';
  response_status: number | null;
  /** Reason of a failed attempt, such as `timeout`, `HTTP 500`, `blocked_address`. */
  error: string | null;
  /** First bytes of the answer, at most 1 KiB. */
  response_excerpt: string | null;
  duration_ms: number;
  attempted_at: string;
  next_attempt_at: string | null;
}

const uuid = Joi.string().guid({ separator: '-', wrapper: false });
const timestamp = Joi.string().isoDate();
/** PostgreSQL stores no NUL: such a message is refused here, not by the batch it came in. */
const text = Joi.string().pattern(/\0/, { invert: true });

export const webhookDelivery = Joi.object<WebhookDelivery>({
  delivery_id: uuid.required(),
  generation: Joi.number().integer().min(0).required(),
  subscription_id: uuid.required(),
  tenant_id: text.required(),
  url: text.required(),
  sealed_secrets: Joi.array()
    .items(Joi.object({ sealed: Joi.string().required(), valid_until: timestamp.allow(null).required() }))
    .min(1)
    .required(),
  event_type: text.required(),
  occurred_at: timestamp.required(),
  payload: text.required(),
  max_retries: Joi.number().integer().min(0).max(10).required(),
  timeout_ms: Joi.number().integer().min(100).max(30_000).required(),
  request_id: text,
});

export const webhookAttempt = Joi.object<WebhookAttempt>({
  attempt_id: uuid.required(),
  delivery_id: uuid.required(),
  generation: Joi.number().integer().min(0).required(),
  subscription_id: uuid.required(),
  tenant_id: Joi.string().required(),
  attempt: Joi.number().integer().min(1).required(),
  outcome: Joi.string().valid('delivered', 'retrying', 'failed').required(),
  response_status: Joi.number().integer().allow(null).required(),
  error: Joi.string().allow(null).required(),
  response_excerpt: Joi.string().allow(null, '').required(),
  duration_ms: Joi.number().min(0).required(),
  attempted_at: timestamp.required(),
  next_attempt_at: timestamp.allow(null).required(),
});

const bySubscription = ({ data }: EventEnvelope) =>
  (data as WebhookDelivery | WebhookAttempt).subscription_id;

/** The envelope's id is a new one for each generation; its `data` says the rest. */
export const deliveryRequested = defineEvent(
  'webhook.delivery',
  webhookDelivery,
  defineTopic(WEBHOOK_DELIVERIES, bySubscription),
);

/** The envelope's id is the attempt's. */
export const attemptMade = defineEvent(
  'webhook.attempt',
  webhookAttempt,
  defineTopic(WEBHOOK_ATTEMPTS, bySubscription),
);
