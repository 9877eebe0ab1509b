import { setTimeout as delay } from 'node:timers/promises';
import { Kafka, logLevel, type Admin, type LogEntry, type Producer } from 'kafkajs';
import {
  CLOSE_GRACE_MS,
  DEFAULT_PARTITIONS,
  MAX_MESSAGE_BYTES,
  type BusMessage,
  type EventBus,
  type EventLog,
  type Subscription,
} from './event-bus.js';
import { countKafkaLag } from './kafka-lag.js';
import { runKafkaMember } from './kafka-member.js';
import { lastingConnection } from './lasting-connection.js';
import { splitBySize } from './split-by-size.js';
import { deadline, within } from './within.js';

export interface KafkaBusOptions {
  /** `host:port`, comma-separated. */
  brokers: string;
  /** Shown in the broker's logs and quotas. */
  clientId: string;
  log: EventLog;
  /** Of a topic that is made on first use; replication is the broker's default. */
  partitions?: number;
}

/** Of one request: below the topics' limit even when all its messages go to one partition. */
const PRODUCE = { maxCount: 1_000, maxBytes: MAX_MESSAGE_BYTES };
/** Whatever the client still tries: the caller keeps its messages and comes again. */
const PUBLISH_MS = 10_000;
const TOPIC_LIMITS = [{ name: 'max.message.bytes', value: String(2 * MAX_MESSAGE_BYTES) }];

/**
 * Connects on first use and again whenever the broker was away; a request gives up after some seconds.
 * Every write waits for all replicas in sync and one is under way at a time, so a repeated one changes no order.
 */
export function createKafkaBus({
  brokers,
  clientId,
  log,
  partitions = DEFAULT_PARTITIONS,
}: KafkaBusOptions): EventBus {
  const kafka = new Kafka({
    brokers: brokers.split(',').map((broker) => broker.trim()),
    clientId,
    connectionTimeout: 2_000,
    requestTimeout: 5_000,
    retry: { initialRetryTime: 100, maxRetryTime: 1_000, retries: 4 },
    logLevel: logLevel.WARN,
    logCreator: () => (entry) => writeLine(log, entry),
  });
  const producer = lastingConnection<Producer>(() =>
    kafka.producer({ allowAutoTopicCreation: false, maxInFlightRequests: 1 }),
  );
  const admin = lastingConnection<Admin>(() => kafka.admin());
  const subscriptions = new Set<Subscription>();
  const topics = new Map<string, Promise<void>>();
  let connected = false;
  const report = (state: boolean) => void (connected = state);

  const exchange = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      const result = await work();
      report(true);
      return result;
    } catch (error) {
      report(false);
      throw error;
    }
  };
  const ensureTopic = (topic: string) => {
    const known = topics.get(topic);
    if (known) return known;
    const made = admin.use(async (client) => {
      const wanted = { topic, numPartitions: partitions, configEntries: TOPIC_LIMITS };
      const made = await client.createTopics({ topics: [wanted], waitForLeaders: true });
      if (!made) await untilLed(client, topic);
    });
    topics.set(topic, made);
    made.catch(() => topics.delete(topic));
    return made;
  };
  const send = async (client: Producer, topic: string, messages: readonly BusMessage[]) => {
    for (const part of splitBySize(messages, ({ payload }) => Buffer.byteLength(payload), PRODUCE)) {
      const sent = part.map(({ key, payload, headers }) => ({
        key,
        value: payload,
        headers: { ...headers },
      }));
      await client.send({ topic, messages: sent, acks: -1, timeout: 5_000 });
    }
  };
  let closed: Promise<void> | undefined;
  const close = async () => {
    await within(CLOSE_GRACE_MS, Promise.all([...subscriptions].map((each) => each.close())));
    await within(CLOSE_GRACE_MS, Promise.all([producer.close(), admin.close()]));
  };

  return {
    publish: (topic, messages) =>
      exchange(async () => {
        if (messages.length === 0) return;
        const stored = ensureTopic(topic).then(() => producer.use((client) => send(client, topic, messages)));
        await deadline(PUBLISH_MS, stored, `Kafka did not store the messages within ${PUBLISH_MS} ms.`);
      }),
    async subscribe(wanted) {
      const ready = () => ensureTopic(wanted.topic);
      const subscription = runKafkaMember(kafka, wanted, { ready, report, log });
      subscriptions.add(subscription);
      return subscription;
    },
    lag: (topic, group) => exchange(() => admin.use((client) => countKafkaLag(client, topic, group))),
    isConnected: () => connected,
    close: () => (closed ??= close()),
  };
}

/** Another process may be making the topic this very moment. A write before all its partitions are led would be repeated. */
async function untilLed(admin: Admin, topic: string): Promise<void> {
  for (let attempt = 0; attempt < 50; attempt++) {
    const { topics } = await admin.fetchTopicMetadata({ topics: [topic] });
    if (topics[0]?.partitions.every(({ leader }) => leader >= 0)) return;
    await delay(100);
  }
}

function writeLine(log: EventLog, { namespace, log: { message, timestamp: _, ...fields } }: LogEntry): void {
  log.warn({ ...fields, from: namespace }, `Kafka: ${message}`);
}
