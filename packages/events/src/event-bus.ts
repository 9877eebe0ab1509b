/** How events travel between services. Two drivers: Kafka and PostgreSQL (embedded mode); one contract test holds both. */
export interface EventBus {
  /**
   * Resolves when the messages are stored for good; order per key is the order given. Rejects when the broker is away
   * or refuses, after some seconds at most: then some may have been stored all the same (at least once).
   */
  publish(topic: string, messages: readonly BusMessage[]): Promise<void>;
  /** Joins a group. Work goes on until the subscription or the bus is closed, also across failures of the broker. */
  subscribe(subscription: SubscribeOptions): Promise<Subscription>;
  /** Messages of the topic that the group has not handled yet. */
  lag(topic: string, group: string): Promise<number>;
  /** Whether the last exchange with the broker succeeded. Readiness does not depend on it: events wait in the outbox. */
  isConnected(): boolean;
  /** Lets running handlers finish (at most {@link CLOSE_GRACE_MS}), keeps their positions, and disconnects. */
  close(): Promise<void>;
}

export interface BusMessage {
  /** Messages with the same key keep their order. */
  key: string;
  /** At most {@link MAX_MESSAGE_BYTES} in UTF-8. */
  payload: string;
  headers?: Readonly<Record<string, string>>;
}

export interface ReceivedMessage extends Required<BusMessage> {
  topic: string;
  partition: number;
  /** Position in the partition, a whole number. */
  offset: string;
}

export interface SubscribeOptions {
  topic: string;
  /** Every group gets every message; the members of one group share them. A new group begins with the oldest one kept. */
  group: string;
  /** Messages handed over at once, at most. Default 100. */
  batchSize?: number;
  /** Partitions that this member works on at the same time. Default 1. */
  concurrency?: number;
  /**
   * Gets messages of one partition, in order. Its promise decides: resolved, the position moves on; rejected, the same
   * messages come again after a pause that grows from 50 ms to 5 s, and the partition waits.
   */
  handle(messages: readonly ReceivedMessage[]): Promise<void>;
}

export interface Subscription {
  /** Lets the running handler finish and leaves the group. */
  close(): Promise<void>;
}

/** The part of a logger that this package uses. */
export interface EventLog {
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** A request body of 1 MiB and its envelope fit; a consumer puts anything longer aside. */
export const MAX_MESSAGE_BYTES = 1_114_112;

/** A handler that outlives this after `close` is abandoned; its messages come again. */
export const CLOSE_GRACE_MS = 10_000;

export const DEFAULT_BATCH_SIZE = 100;
/** Of a topic that is made on first use. */
export const DEFAULT_PARTITIONS = 6;
