import type { EventEnvelope } from '@trunkline/contracts';
import type { Consumer } from './consumer.js';
import type { ConsumerMetrics } from './consumer-metrics.js';
import { deadLetter, deadLetterTopic } from './dead-letter.js';
import type { EventBus, EventLog, ReceivedMessage, Subscription } from './event-bus.js';
import { parseEvent } from './parse-event.js';

export interface ConsumeOptions {
  bus: EventBus;
  log: EventLog;
  metrics: ConsumerMetrics;
}

/**
 * Consumes until closed. A message that can never be handled goes to the topic `<topic>.dead` with its reason and counts
 * in a metric; those behind it are not held up.
 */
export async function consumeEvents(
  consumer: Consumer,
  { bus, log, metrics }: ConsumeOptions,
): Promise<Subscription> {
  const { group, contracts, otherTypes = 'skip', batchSize, concurrency } = consumer;
  const topic = consumer.topic.name;
  const known = new Map(contracts.map((contract) => [contract.type, contract]));

  const sort = (messages: readonly ReceivedMessage[]) => {
    const events: EventEnvelope[] = [];
    const dead: ReturnType<typeof deadLetter>[] = [];
    for (const message of messages) {
      const parsed = parseEvent(message.payload, known);
      if (parsed.kind === 'poison') {
        const { reason, detail } = parsed;
        const { partition, offset } = message;
        log.error({ topic, group, partition, offset, reason, detail }, 'a poison message was put aside');
        dead.push(deadLetter(message, { group, reason, detail }));
      } else if (parsed.kind === 'event' || otherTypes === 'pass') events.push(parsed.event);
    }
    return { events, dead };
  };

  // A batch that comes again because its handler failed has put its poison aside already.
  const sorted = new WeakMap<readonly ReceivedMessage[], readonly EventEnvelope[]>();
  const wholesome = async (messages: readonly ReceivedMessage[]) => {
    const known = sorted.get(messages);
    if (known) return known;
    const { events, dead } = sort(messages);
    if (dead.length > 0) await bus.publish(deadLetterTopic(topic), dead);
    for (const { headers } of dead) metrics.dead.inc({ topic, group, reason: headers['dead-reason'] });
    sorted.set(messages, events);
    return events;
  };

  metrics.watch(bus, topic, group);
  return bus.subscribe({
    topic,
    group,
    ...(batchSize !== undefined && { batchSize }),
    ...(concurrency !== undefined && { concurrency }),
    async handle(messages) {
      const events = await wholesome(messages);
      if (events.length > 0) await consumer.handle(events);
      metrics.consumed.inc({ topic, group }, messages.length);
    },
  });
}
