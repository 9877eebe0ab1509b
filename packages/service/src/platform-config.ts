import Joi from 'joi';
import { defineConfig, setting } from './config.js';

/** What every service needs; its own settings stand in its `config.ts`. */
export interface PlatformConfig {
  mode: 'embedded' | 'live';
  host: string;
  port: number;
  internalHost: string;
  internalPort: number;
  databaseUrl: string;
  databasePoolSize: number;
  natsUrl: string;
  kafkaBrokers: string;
  topicPartitions: number;
  callerSecret: string;
  encryptionKeys: string;
  logLevel: string;
  drainDelayMs: number;
  outboundAllowCidrs: string;
}

/** No secret has a default: outside the embedded mode, which makes its own, a service without them refuses to start. */
export const platformConfig = defineConfig<PlatformConfig>({
  mode: setting(
    'TRUNKLINE_MODE',
    Joi.string<'embedded' | 'live'>().valid('embedded', 'live').default('live'),
    'embedded opens loopback addresses and the sandbox',
  ),
  host: setting('HOST', Joi.string().default('0.0.0.0'), 'address the API listens on'),
  port: setting('PORT', Joi.number().port().default(3000), 'port of the API'),
  internalHost: setting('INTERNAL_HOST', Joi.string().default('0.0.0.0'), 'address of health and metrics'),
  internalPort: setting(
    'INTERNAL_PORT',
    Joi.number().port().default(9000),
    'port of /healthz, /readyz and /metrics',
  ),
  databaseUrl: setting(
    'DATABASE_URL',
    Joi.string()
      .uri({ scheme: ['postgres', 'postgresql'] })
      .required(),
    'PostgreSQL of this service',
  ),
  databasePoolSize: setting(
    'DATABASE_POOL_SIZE',
    Joi.number().integer().min(1).max(200).default(10),
    'connections to PostgreSQL',
  ),
  natsUrl: setting(
    'NATS_URL',
    Joi.string().default('nats://127.0.0.1:4222'),
    'NATS servers, comma-separated',
  ),
  kafkaBrokers: setting(
    'KAFKA_BROKERS',
    Joi.string().allow('').default(''),
    'Kafka brokers, comma-separated host:port; without them events travel through the PostgreSQL of DATABASE_URL',
  ),
  topicPartitions: setting(
    'TOPIC_PARTITIONS',
    Joi.number().integer().min(1).max(1_000).default(6),
    'partitions of a topic that is made on first use',
  ),
  callerSecret: setting(
    'CALLER_SECRET',
    Joi.string().min(32).required(),
    'signs the caller header between gateway and services',
  ),
  encryptionKeys: setting(
    'ENCRYPTION_KEYS',
    Joi.string().required(),
    'id:base64 pairs of 32-byte keys, the active one first',
  ),
  logLevel: setting(
    'LOG_LEVEL',
    Joi.string().valid('debug', 'info', 'warn', 'error', 'silent').default('info'),
    'least severe line logged',
  ),
  drainDelayMs: setting(
    'DRAIN_DELAY_MS',
    Joi.number().integer().min(0).default(5_000),
    'between readiness turning false and the last request',
  ),
  outboundAllowCidrs: setting(
    'OUTBOUND_ALLOW_CIDRS',
    Joi.string().allow('').default(''),
    'private ranges that user-given addresses may reach',
  ),
});
