import type { Relay } from '@trunkline/events';
import type { OutboundHttp } from '@trunkline/outbound-http';
import type { DispatchMetrics } from './adapters/dispatch-metrics.js';
import type { PostDelivery } from './adapters/post-delivery.js';
import type { Config } from './config.js';
import type { PrismaClient } from './storage/database.js';
import type { AttemptsUnderWay } from './use-cases/attempts-under-way.js';
import type { ClaimWaker } from './use-cases/claim-waker.js';

/** What consumers and workers of this service work with. */
export interface Deps {
  db: PrismaClient;
  config: Readonly<Config>;
  now: () => Date;
  random: () => number;
  newId: () => string;
  /** The pool of connections to receivers. */
  outboundHttp: OutboundHttp;
  /** Makes one attempt. */
  post: PostDelivery;
  /** The attempts of this process that are not written yet. */
  attempts: AttemptsUnderWay;
  claims: ClaimWaker;
  /** Publishes what lies in the outbox. */
  relay: Relay;
  metrics: DispatchMetrics;
}
