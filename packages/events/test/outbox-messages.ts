import { randomUUID } from 'node:crypto';
import type { OutboxMessage } from '../src/index.js';
import { numbered } from './stream.js';

/** Numbered messages (stream.ts) as a producer appends them. */
export function outboxMessages(topic: string, keys: number, perKey: number, from = 0): OutboxMessage[] {
  return numbered(keys, perKey, from).map((message) => ({
    ...message,
    id: randomUUID(),
    topic,
    headers: {},
  }));
}
