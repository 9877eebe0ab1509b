import {
  consumeEvents,
  createConsumerMetrics,
  type Consumer,
  type EventBus,
  type Subscription,
} from '@trunkline/events';
import type { Logger } from './logger.js';
import type { Metrics } from './metrics.js';

/** Joins the groups of a service's consumers. */
export async function startConsumers(
  consumers: readonly Consumer[],
  bus: EventBus,
  log: Logger,
  { registry }: Metrics,
): Promise<Subscription[]> {
  if (consumers.length === 0) return [];
  const metrics = createConsumerMetrics(registry);
  return Promise.all(consumers.map((consumer) => consumeEvents(consumer, { bus, log, metrics })));
}
