/** What services tell each other: the envelope every event travels in, the topics, and how an event is defined. */
import Joi from 'joi';

/** One event on the wire. Everything but `data` is the same for all of them. */
export interface EventEnvelope<Data = unknown> {
  /** UUID; consumers make their effect idempotent by it. */
  id: string;
  /** `<thing>.<what happened>`; custom events of users carry their own free-form type. */
  type: string;
  tenant_id: string;
  /** ISO 8601 UTC with milliseconds and `Z`. */
  occurred_at: string;
  data: Data;
  /** Of the request that caused it. */
  request_id?: string;
  /** W3C trace context. */
  traceparent?: string;
}

/** A stream of events. Those with the same key are consumed in the order in which they were published. */
export interface Topic {
  readonly name: string;
  keyOf(envelope: EventEnvelope): string;
}

/** One type of event: who produces and consumes it validates `data` against the same schema. */
export interface EventContract<Data = unknown> {
  readonly type: string;
  readonly topic: Topic;
  readonly data: Joi.Schema<Data>;
}

export function defineTopic(name: string, keyOf: (envelope: EventEnvelope) => string): Topic {
  return { name, keyOf };
}

/** Every service → notifications (fan-out), voice-alarms, billing…; in order per tenant. */
export const eventsTopic = defineTopic('events', ({ tenant_id }) => tenant_id);

export function defineEvent<Data>(
  type: string,
  data: Joi.Schema<Data>,
  topic: Topic = eventsTopic,
): EventContract<Data> {
  return { type, topic, data };
}

/** Unknown keys of an envelope are dropped, not refused: a newer producer may send more. */
export const eventEnvelope = Joi.object<EventEnvelope>({
  id: Joi.string().uuid().required(),
  type: Joi.string().max(255).required(),
  tenant_id: Joi.string().max(64).required(),
  occurred_at: Joi.string()
    .pattern(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    .required(),
  data: Joi.any().required(),
  request_id: Joi.string().max(128),
  traceparent: Joi.string().pattern(/^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/),
});
