import { randomBytes } from 'node:crypto';
import { notificationsContract } from '@trunkline/contracts';
import { createRelay } from '@trunkline/events';
import { defineService } from '@trunkline/service';
import { createEmailProvider } from './adapters/create-email-provider.js';
import { config, type Config } from './config.js';
import { fanOutEvents } from './consumers/fan-out-events.js';
import { recordAttemptsConsumer } from './consumers/record-attempts.js';
import type { Deps } from './deps.js';
import { deliveryRoutes } from './http/deliveries.router.js';
import { emailTemplateRoutes } from './http/email-templates.router.js';
import { emailRoutes } from './http/emails.router.js';
import { inboxRoutes } from './http/inbox.router.js';
import { notificationRoutes } from './http/notifications.router.js';
import { webhookRoutes } from './http/webhooks.router.js';
import { sendEmail } from './rpc/send-email.js';
import { database, type PrismaClient } from './storage/database.js';
import { notifySwitchedOffWorker } from './workers/notify-switched-off.js';
import { requeueDeliveriesWorker } from './workers/requeue-deliveries.js';
import { sendEmailsWorker } from './workers/send-emails.js';

export const service = defineService<Config, PrismaClient, Deps>({
  name: 'notifications',
  config,
  database,
  routes: [
    ...webhookRoutes,
    ...deliveryRoutes,
    ...notificationRoutes,
    ...emailRoutes,
    ...emailTemplateRoutes,
    ...inboxRoutes,
  ],
  connect({ config, platform, db, bus, rpc, secrets, outboundHttp, logger, metrics }) {
    const embedded = platform.mode === 'embedded';
    return {
      db,
      config,
      now: () => new Date(),
      random: Math.random,
      randomBytes,
      rpc,
      secrets,
      allowHttpOnLoopback: embedded,
      sandbox: embedded,
      emailProvider: createEmailProvider(config, { embedded, outboundHttp }),
      logger,
      relay: createRelay({ db, bus, log: logger, registry: metrics.registry }),
    };
  },
  rpc(rpc, deps) {
    rpc.serve(notificationsContract.sendEmail, (request) => sendEmail(deps, request));
  },
  consumers: (deps) => [fanOutEvents(deps), recordAttemptsConsumer(deps)],
  workers: (deps) => [
    deps.relay,
    requeueDeliveriesWorker(deps),
    sendEmailsWorker(deps),
    notifySwitchedOffWorker(deps),
  ],
  close: async ({ emailProvider }) => emailProvider.close?.(),
});
