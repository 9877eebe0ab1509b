import type { Consumer, EachBatchPayload, IHeaders, Kafka, KafkaMessage } from 'kafkajs';
import {
  DEFAULT_BATCH_SIZE,
  type EventLog,
  type ReceivedMessage,
  type SubscribeOptions,
  type Subscription,
} from './event-bus.js';
import { handleWithRetry } from './handle-with-retry.js';
import { kafkaGroupId } from './kafka-lag.js';
import { createWaker } from './waker.js';

interface Member {
  /** Makes the topic. */
  ready(): Promise<void>;
  /** Told whether the broker answers. */
  report(connected: boolean): void;
  log: EventLog;
}

/** Without a heartbeat for so long a member has died. */
const SESSION_MS = 10_000;
const HEARTBEAT_MS = 2_000;
const AFTER_FAILURE_MS = 500;
/** A broker that answers longer than this makes no consumer wait: 100 ms are lost at most. */
const MAX_WAIT_MS = 100;

/** Works until closed. A consumer that failed (kafkajs ends it then) is replaced by a new one. */
export function runKafkaMember(kafka: Kafka, options: SubscribeOptions, member: Member): Subscription {
  const { topic, group } = options;
  const stopping = new AbortController();
  const waker = createWaker();

  const loop = async () => {
    while (!stopping.signal.aborted) {
      try {
        await member.ready();
        await runConsumer(kafka, options, member, stopping.signal);
      } catch (error) {
        if (stopping.signal.aborted) return;
        member.report(false);
        member.log.warn({ error, topic, group }, 'the Kafka consumer ended; a new one starts');
        await waker.wait(AFTER_FAILURE_MS);
      }
    }
  };
  const done = loop();
  return {
    async close() {
      stopping.abort();
      waker.wake();
      await done;
    },
  };
}

/** Resolves when stopped, rejects when the consumer failed; disconnected either way. */
async function runConsumer(
  kafka: Kafka,
  options: SubscribeOptions,
  { report, log }: Member,
  stopping: AbortSignal,
): Promise<void> {
  const consumer = kafka.consumer({
    groupId: kafkaGroupId(options.group, options.topic),
    sessionTimeout: SESSION_MS,
    heartbeatInterval: HEARTBEAT_MS,
    rebalanceTimeout: 3 * SESSION_MS,
    maxWaitTimeInMs: MAX_WAIT_MS,
    allowAutoTopicCreation: false,
    retry: { initialRetryTime: 100, maxRetryTime: 1_000, retries: 10, restartOnFailure: async () => false },
  });
  const { ended, forget } = endOf(consumer, stopping);
  try {
    await consumer.connect();
    await consumer.subscribe({ topics: [options.topic], fromBeginning: true });
    consumer.on(consumer.events.FETCH, () => report(true));
    await consumer.run({
      autoCommit: false,
      eachBatchAutoResolve: false,
      partitionsConsumedConcurrently: options.concurrency ?? 1,
      eachBatch: (payload) => workOn(payload, options, stopping, log),
    });
    await ended;
  } finally {
    forget();
    await consumer.disconnect().catch(() => undefined);
  }
}

/** Resolves when stopped, rejects when kafkajs gave the consumer up. */
function endOf(consumer: Consumer, stopping: AbortSignal): { ended: Promise<void>; forget(): void } {
  let stop = (): void => undefined;
  const ended = new Promise<void>((resolve, reject) => {
    stop = resolve;
    consumer.on(consumer.events.CRASH, ({ payload }) => reject(payload.error));
  });
  ended.catch(() => undefined); // heard once the consumer runs
  if (stopping.aborted) stop();
  stopping.addEventListener('abort', stop);
  return { ended, forget: () => stopping.removeEventListener('abort', stop) };
}

/** Commits after each handed-over part, and only then: what a crash interrupts comes again. */
async function workOn(
  { batch, heartbeat, resolveOffset, commitOffsetsIfNecessary, isRunning, isStale }: EachBatchPayload,
  options: SubscribeOptions,
  stopping: AbortSignal,
  log: EventLog,
): Promise<void> {
  const { topic, partition } = batch;
  const size = options.batchSize ?? DEFAULT_BATCH_SIZE;
  for (let from = 0; from < batch.messages.length; from += size) {
    if (stopping.aborted || !isRunning() || isStale()) return;
    const part = batch.messages.slice(from, from + size);
    const messages = part.map((message) => received(topic, partition, message));
    const handled = await whileBeating(heartbeat, isStale, stopping, (signal) =>
      handleWithRetry(options, messages, signal, log),
    );
    if (!handled) return;
    const { offset } = part[part.length - 1]!;
    resolveOffset(offset);
    const next = (BigInt(offset) + 1n).toString();
    await commitOffsetsIfNecessary({ topics: [{ topic, partitions: [{ partition, offset: next }] }] });
    await heartbeat();
  }
}

/** A handler that takes long stays a member; when the partition goes to another one, retries end. */
async function whileBeating<T>(
  heartbeat: () => Promise<void>,
  isStale: () => boolean,
  stopping: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const ending = new AbortController();
  const end = () => ending.abort();
  stopping.addEventListener('abort', end);
  const beat = setInterval(() => {
    heartbeat().catch(end); // the group is being divided anew, or the broker is away
    if (isStale()) end();
  }, HEARTBEAT_MS);
  try {
    return await work(ending.signal);
  } finally {
    clearInterval(beat);
    stopping.removeEventListener('abort', end);
  }
}

function received(topic: string, partition: number, message: KafkaMessage): ReceivedMessage {
  return {
    topic,
    partition,
    offset: message.offset,
    key: message.key?.toString() ?? '',
    payload: message.value?.toString() ?? '',
    headers: textHeaders(message.headers),
  };
}

function textHeaders(headers: IHeaders | undefined): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers ?? {}).map(([name, value]) => [
      name,
      String(Array.isArray(value) ? value[0] : (value ?? '')),
    ]),
  );
}
