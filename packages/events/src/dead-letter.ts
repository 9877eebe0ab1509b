import { MAX_MESSAGE_BYTES, type BusMessage, type ReceivedMessage } from './event-bus.js';
import type { PoisonReason } from './parse-event.js';

export function deadLetterTopic(topic: string): string {
  return `${topic}.dead`;
}

/** The original as it came (cut at {@link MAX_MESSAGE_BYTES}), its headers, and why and where it was put aside. */
export function deadLetter(
  { topic, partition, offset, key, payload, headers }: ReceivedMessage,
  { group, reason, detail }: { group: string; reason: PoisonReason; detail: string },
): BusMessage & { headers: { 'dead-reason': PoisonReason } } {
  const bytes = Buffer.from(payload);
  return {
    key,
    payload: bytes.length > MAX_MESSAGE_BYTES ? bytes.subarray(0, MAX_MESSAGE_BYTES - 3).toString() : payload,
    headers: {
      ...headers,
      'dead-reason': reason,
      'dead-detail': detail,
      'dead-group': group,
      'dead-source': `${topic}/${partition}@${offset}`,
      'dead-bytes': String(bytes.length),
    },
  };
}
