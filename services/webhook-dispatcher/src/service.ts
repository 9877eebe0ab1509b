import { randomUUID } from 'node:crypto';
import { createRelay } from '@trunkline/events';
import { createHostResolver, createOutboundHttp } from '@trunkline/outbound-http';
import { defineService } from '@trunkline/service';
import { createDispatchMetrics } from './adapters/dispatch-metrics.js';
import { createPostDelivery } from './adapters/post-delivery.js';
import { config, type Config } from './config.js';
import { webhookDeliveriesConsumer } from './consumers/webhook-deliveries.js';
import type { Deps } from './deps.js';
import { database, type PrismaClient } from './storage/database.js';
import { AttemptsUnderWay } from './use-cases/attempts-under-way.js';
import { ClaimWaker } from './use-cases/claim-waker.js';
import { recordAttempts } from './use-cases/record-attempts.js';
import { deliverWorker } from './workers/deliver.js';
import { forgetAcceptedWorker } from './workers/forget-accepted.js';
import { measureQueueWorker } from './workers/measure-queue.js';

/** A name server that says nothing for this long has no answer. */
const LOOK_UP_MS = 3_000;

export const service = defineService<Config, PrismaClient, Deps>({
  name: 'webhook-dispatcher',
  config,
  database,
  routes: [],
  connect({ config, platform, db, bus, secrets, addressPolicy, logger, metrics: { registry } }) {
    const clocks = { now: () => new Date(), random: Math.random, newId: randomUUID };
    const outboundHttp = createOutboundHttp({
      policy: addressPolicy,
      allowHttpOnLoopback: platform.mode === 'embedded',
      // Many subscriptions may share an origin: one that hangs must not use up its connections.
      connectionsPerOrigin: config.attemptsInFlight,
      resolve: createHostResolver(LOOK_UP_MS),
    });
    const post = createPostDelivery({
      outboundHttp,
      secrets,
      headerBrand: config.headerBrand,
      onFault: (error, { deliveryId, subscriptionId }) =>
        logger.error({ error, deliveryId, subscriptionId }, 'an attempt could not be made'),
    });
    const relay = createRelay({ db, bus, log: logger, registry });
    const claims = new ClaimWaker();
    const metrics = createDispatchMetrics(registry, () => attempts.count);
    const attempts: AttemptsUnderWay = new AttemptsUnderWay(
      (results) => recordAttempts({ db, claims, relay, metrics, ...clocks }, results),
      (error, results) => logger.error({ error, results }, 'results of attempts could not be written'),
    );
    return { db, config, ...clocks, outboundHttp, post, attempts, claims, relay, metrics };
  },
  workers: (deps) => [deliverWorker(deps), measureQueueWorker(deps), forgetAcceptedWorker(deps), deps.relay],
  consumers: (deps) => [webhookDeliveriesConsumer(deps)],
  async close({ attempts, outboundHttp }) {
    await attempts.settled();
    await outboundHttp.close();
  },
});
