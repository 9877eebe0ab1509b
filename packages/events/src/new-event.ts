import { randomUUID } from 'node:crypto';
import type { EventContract, EventEnvelope } from '@trunkline/contracts';
import { MAX_MESSAGE_BYTES } from './event-bus.js';

/** A message on its way to the bus. */
export interface OutboxMessage {
  /** UUID of the event. */
  id: string;
  topic: string;
  key: string;
  payload: string;
  headers: Readonly<Record<string, string>>;
}

export interface EventFields<Data> {
  tenantId: string;
  data: Data;
  occurredAt: Date;
  /** UUID; a new one by default. */
  id?: string;
  requestId?: string | undefined;
  /** W3C trace context of what caused it. */
  traceparent?: string | undefined;
}

/**
 * An event, ready for `appendToOutbox`.
 * @throws when `data` breaks the contract, or the message is longer than {@link MAX_MESSAGE_BYTES}: a fault of the producer
 */
export function newEvent<Data>(contract: EventContract<Data>, fields: EventFields<Data>): OutboxMessage {
  const { error } = contract.data.validate(fields.data, { convert: false });
  if (error) throw error;
  const envelope: EventEnvelope<Data> = {
    id: fields.id ?? randomUUID(),
    type: contract.type,
    tenant_id: fields.tenantId,
    occurred_at: fields.occurredAt.toISOString(),
    data: fields.data,
    ...(fields.requestId !== undefined && { request_id: fields.requestId }),
    ...(fields.traceparent !== undefined && { traceparent: fields.traceparent }),
  };
  const payload = JSON.stringify(envelope);
  const bytes = Buffer.byteLength(payload);
  if (bytes > MAX_MESSAGE_BYTES) throw new Error(`An event ${contract.type} of ${bytes} bytes is too long.`);
  const { id, request_id, traceparent } = envelope;
  return {
    id,
    topic: contract.topic.name,
    key: contract.topic.keyOf(envelope),
    payload,
    headers: {
      'event-type': contract.type,
      ...(request_id !== undefined && { 'request-id': request_id }),
      ...(traceparent !== undefined && { traceparent }),
    },
  };
}
