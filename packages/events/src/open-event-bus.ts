import type { EventBus, EventLog } from './event-bus.js';
import { createKafkaBus } from './kafka-bus.js';
import { createPostgresBus } from './postgres-bus.js';

export interface OpenEventBusOptions {
  /** `host:port`, comma-separated; empty: events travel through PostgreSQL. */
  kafkaBrokers: string;
  databaseUrl: string;
  clientId: string;
  partitions: number;
  log: EventLog;
  /** No other process works on this database (embedded mode). */
  alone?: boolean;
}

/**
 * The bus that the configuration names; it connects on first use. Kafka may be away: then events wait in the outboxes.
 * PostgreSQL must have the schema `events` (`eventsDatabase`).
 */
export function openEventBus(options: OpenEventBusOptions): EventBus {
  const { kafkaBrokers, databaseUrl, clientId, partitions, log, alone = false } = options;
  if (kafkaBrokers) return createKafkaBus({ brokers: kafkaBrokers, clientId, partitions, log });
  return createPostgresBus({ url: databaseUrl, partitions, log, alone });
}
