// The built service with its workers, as it is deployed, database-driven: what lies in the queue is delivered.
import { createInProcessTransport } from '@trunkline/rpc';
import { createLogger, startService } from '@trunkline/service';
import { service } from '@trunkline/webhook-dispatcher';

const bus = {
  publish: async () => undefined,
  subscribe: async () => ({ close: async () => undefined }),
  lag: async () => 0,
  isConnected: () => true,
  close: async () => undefined,
};

/** Nothing is relayed: measured is what the dispatcher does up to its commit. */
const relay = {
  name: 'relay-outbox',
  everyMs: 60_000,
  pass: async () => ({ handled: 0 }),
  wake: () => undefined,
};

const running = await startService(service, {
  overrides: { relay },
  transport: createInProcessTransport(),
  bus,
  logger: createLogger({ level: 'error', service: 'webhook-dispatcher' }),
  environment: {
    TRUNKLINE_MODE: 'embedded',
    HOST: '127.0.0.1',
    PORT: '0',
    INTERNAL_HOST: '127.0.0.1',
    INTERNAL_PORT: '0',
    DRAIN_DELAY_MS: '0',
    DATABASE_URL: process.env.DATABASE_URL,
    CALLER_SECRET: 'x'.repeat(32),
    ENCRYPTION_KEYS: process.env.ENCRYPTION_KEYS,
    WEBHOOK_ATTEMPTS_IN_FLIGHT: process.env.WEBHOOK_ATTEMPTS_IN_FLIGHT,
  },
});

const { db } = running.deps;

/** Opens the lanes, which were closed while the queue was filled, and waits until it is empty. */
process.on('message', async ({ drain }) => {
  if (!drain) return;
  const cpu = process.cpuUsage();
  const startedAt = performance.now();
  await db.$executeRaw`
    insert into lanes (subscription_id, due_at) select distinct subscription_id, now() from deliveries
    on conflict (subscription_id) do update set due_at = excluded.due_at, "full" = false`;
  let left = true;
  while (left) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    [{ left }] = await db.$queryRaw`select exists(select from deliveries) as left`;
  }
  const seconds = (performance.now() - startedAt) / 1_000;
  const { user, system } = process.cpuUsage(cpu);
  process.send({ seconds, cpuMs: (user + system) / 1_000 });
});
process.on('disconnect', () => process.exit(0));
process.send({ ready: true });
