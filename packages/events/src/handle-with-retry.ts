import { setTimeout as delay } from 'node:timers/promises';
import type { EventLog, ReceivedMessage, SubscribeOptions } from './event-bus.js';

const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 5_000;

/** The pause before a failed batch is handed over again; `failures` counts from 1. */
export function retryPauseMs(failures: number): number {
  return Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(failures - 1, 10));
}

/**
 * Hands a batch over until the handler takes it.
 * @returns false when `signal` ended it before that: nothing may be committed then
 */
export async function handleWithRetry(
  { topic, group, handle }: SubscribeOptions,
  messages: readonly ReceivedMessage[],
  signal: AbortSignal,
  log: EventLog,
): Promise<boolean> {
  for (let failures = 1; !signal.aborted; failures++) {
    try {
      await handle(messages);
      return true;
    } catch (error) {
      const [first] = messages;
      log.error(
        { error, topic, group, partition: first?.partition, offset: first?.offset, failures },
        'events could not be handled; the same come again',
      );
      await delay(retryPauseMs(failures), undefined, { signal, ref: false }).catch(() => undefined);
    }
  }
  return false;
}
