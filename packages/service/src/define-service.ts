import type { RequestListener } from 'node:http';
import type { DatabaseDefinition } from '@trunkline/database';
import type { Consumer, EventBus } from '@trunkline/events';
import type { AnyRoute, Caller, RequestObservation } from '@trunkline/http';
import type { OutboundHttp, AddressPolicy } from '@trunkline/outbound-http';
import type { Rpc } from '@trunkline/rpc';
import type { SecretBox } from '@trunkline/secrets';
import type { ConfigDefinition } from './config.js';
import type { Logger } from './logger.js';
import type { Metrics } from './metrics.js';
import type { PlatformConfig } from './platform-config.js';
import type { Worker } from './worker.js';

/** What the frame gives a service to build its dependencies from. */
export interface ServiceContext<Config, Db> {
  config: Readonly<Config>;
  platform: Readonly<PlatformConfig>;
  db: Db;
  rpc: Rpc;
  /** Kafka, or PostgreSQL. Producers write into their outbox instead (createRelay); consumers are named in `consumers`. */
  bus: EventBus;
  secrets: SecretBox;
  /** Which addresses that users give may be reached. */
  addressPolicy: AddressPolicy;
  outboundHttp: OutboundHttp;
  verifyCaller: (header: string | undefined) => Caller | undefined;
  logger: Logger;
  metrics: Metrics;
  /** Logs and measures a finished request; routes do it by themselves, a front door calls it. */
  observe(observation: RequestObservation): void;
}

/** A service, said once: the launcher of the embedded mode, `main.ts` and the tests all start it from here. */
export interface ServiceDefinition<Config, Db extends { $disconnect(): Promise<void> }, Deps> {
  /** Folder = package = image = Kubernetes Service = Helm key = database schema. */
  name: string;
  config: ConfigDefinition<Config>;
  database: DatabaseDefinition<Db>;
  /** The service's HTTP operations; static, so that the gateway's table and the API document need nothing running. */
  routes: readonly AnyRoute<Deps>[];
  /** Builds what handlers, workers and RPC need, once, before anything listens. */
  connect(context: ServiceContext<Config, Db>): Deps | Promise<Deps>;
  /** Registers the RPC operations it answers and the broadcasts it listens to. */
  rpc?(rpc: Rpc, deps: Deps): void;
  workers?(deps: Deps): readonly Worker[];
  /** The events it listens to. They stop before the workers do. */
  consumers?(deps: Deps): readonly Consumer[];
  /** In front of the routes: only the gateway has one. */
  frontDoor?(deps: Deps): RequestListener;
  /** Further doors, such as the gateway's operator port. */
  doors?(deps: Deps): readonly { name: string; host: string; port: number; listener: RequestListener }[];
  close?(deps: Deps): Promise<void>;
}

// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type AnyService = ServiceDefinition<any, any, any>;

export function defineService<Config, Db extends { $disconnect(): Promise<void> }, Deps>(
  definition: ServiceDefinition<Config, Db, Deps>,
): ServiceDefinition<Config, Db, Deps> {
  return definition;
}
