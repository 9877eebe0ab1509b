export {
  DEFAULT_PARTITIONS,
  MAX_MESSAGE_BYTES,
  type BusMessage,
  type EventBus,
  type EventLog,
  type ReceivedMessage,
  type SubscribeOptions,
  type Subscription,
} from './event-bus.js';
export { createKafkaBus, type KafkaBusOptions } from './kafka-bus.js';
export {
  createPostgresBus,
  eventsDatabase,
  type PostgresBus,
  type PostgresBusOptions,
} from './postgres-bus.js';
export { openEventBus, type OpenEventBusOptions } from './open-event-bus.js';
export { newEvent, type EventFields, type OutboxMessage } from './new-event.js';
export { appendToOutbox, type SqlClient } from './outbox.js';
export { createRelay, type Relay, type RelayOptions } from './relay.js';
export { oneByOne, on, type Consumer, type EventHandler } from './consumer.js';
export { consumeEvents, type ConsumeOptions } from './consume-events.js';
export { createConsumerMetrics, type ConsumerMetrics } from './consumer-metrics.js';
export { deadLetterTopic } from './dead-letter.js';
export type { PoisonReason } from './parse-event.js';
export { claimUnprocessed, pruneProcessedEvents } from './processed-events.js';
