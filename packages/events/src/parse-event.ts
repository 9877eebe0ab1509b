import { eventEnvelope, type EventContract, type EventEnvelope } from '@trunkline/contracts';
import { MAX_MESSAGE_BYTES } from './event-bus.js';

/** Why a message can never be handled. */
export type PoisonReason = 'too_long' | 'bad_json' | 'bad_envelope' | 'bad_data';

export type ParsedEvent =
  | { kind: 'event'; event: EventEnvelope }
  | { kind: 'other_type'; event: EventEnvelope }
  | { kind: 'poison'; reason: PoisonReason; detail: string };

/** Reads a message. Unknown keys are dropped, not refused: a newer producer may send more. */
export function parseEvent(payload: string, contracts: ReadonlyMap<string, EventContract>): ParsedEvent {
  const bytes = Buffer.byteLength(payload);
  if (bytes > MAX_MESSAGE_BYTES) return poison('too_long', `${bytes} bytes`);
  let json: unknown;
  try {
    json = JSON.parse(payload);
  } catch (error) {
    return poison('bad_json', (error as Error).message);
  }
  const { value: event, error } = eventEnvelope.validate(json, LENIENT);
  if (error) return poison('bad_envelope', error.message);
  const contract = contracts.get(event.type);
  if (!contract) return { kind: 'other_type', event };
  const data = contract.data.validate(event.data, LENIENT);
  if (data.error) return poison('bad_data', data.error.message);
  return { kind: 'event', event: { ...event, data: data.value } };
}

const LENIENT = { convert: false, stripUnknown: { objects: true, arrays: false } };

/** The detail goes into a header: one short line. */
function poison(reason: PoisonReason, detail: string): ParsedEvent {
  return { kind: 'poison', reason, detail: detail.replace(/[^\x20-\x7e]+/g, ' ').slice(0, 200) };
}
