import type { EventBus, EventLog } from '../src/index.js';

/** One kind of broker under the contract test. */
export interface BusDriver {
  name: string;
  /** A bus as another process would open it. */
  open(): Promise<EventBus>;
  /** What a child process needs to open the same (crashing-consumer.ts). */
  address: { kafkaBrokers: string; databaseUrl: string };
  /** Makes a topic that takes messages of some megabytes, as a foreign producer may send. */
  makeWideTopic(topic: string): Promise<void>;
  /** Takes the broker, or every connection to it, away in the middle of the work, and gives it back. */
  disturb(): Promise<void>;
}

export const silent: EventLog = { warn: () => undefined, error: () => undefined };
