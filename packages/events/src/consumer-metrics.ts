import { Counter, Gauge, type Registry } from 'prom-client';
import type { EventBus } from './event-bus.js';

/** Topics, groups and reasons are all bounded. */
export interface ConsumerMetrics {
  consumed: Counter<'topic' | 'group'>;
  dead: Counter<'topic' | 'group' | 'reason'>;
  /** Reports the lag of the group at each scrape; while the broker is away the last value stays. */
  watch(bus: EventBus, topic: string, group: string): void;
}

export function createConsumerMetrics(registry: Registry): ConsumerMetrics {
  const watched: { bus: EventBus; topic: string; group: string }[] = [];
  new Gauge({
    name: 'trunkline_events_lag',
    help: 'Events that the group has not handled yet',
    labelNames: ['topic', 'group'],
    registers: [registry],
    async collect() {
      const read = async ({ bus, topic, group }: (typeof watched)[number]) =>
        this.set({ topic, group }, await bus.lag(topic, group));
      await Promise.allSettled(watched.map(read));
    },
  });
  return {
    consumed: new Counter({
      name: 'trunkline_events_consumed_total',
      help: 'Events handled, those of other types and poison included',
      labelNames: ['topic', 'group'],
      registers: [registry],
    }),
    dead: new Counter({
      name: 'trunkline_events_dead_total',
      help: 'Messages put aside into the dead-letter topic',
      labelNames: ['topic', 'group', 'reason'],
      registers: [registry],
    }),
    watch: (bus, topic, group) => void watched.push({ bus, topic, group }),
  };
}
