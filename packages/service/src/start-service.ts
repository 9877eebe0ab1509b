import { openDatabase } from '@trunkline/database';
import type { Consumer, EventBus } from '@trunkline/events';
import { createCallerVerifier, createHttpApp } from '@trunkline/http';
import { createAddressPolicy, createHostResolver, createOutboundHttp } from '@trunkline/outbound-http';
import { createRpc, type RpcTransport } from '@trunkline/rpc';
import { createSecretBox, parseEncryptionKeys } from '@trunkline/secrets';
import type { Environment } from './config.js';
import type { ServiceContext, ServiceDefinition } from './define-service.js';
import { openDoor, type Door } from './http-door.js';
import { internalApp } from './internal-app.js';
import type { Logger } from './logger.js';
import { createMetrics } from './metrics.js';
import { platformConfig, type PlatformConfig } from './platform-config.js';
import { requestObserver } from './request-observer.js';
import { startConsumers } from './start-consumers.js';
import { finishWorkers, repeat, type Worker } from './worker.js';

export interface StartOptions<Deps = unknown> {
  environment: Environment;
  transport: RpcTransport;
  /** Closed by whoever opened it, after the service has stopped. */
  bus: EventBus;
  logger: Logger;
  /** False: workers and consumers are only built; tests call them. */
  runWorkers?: boolean;
  /** Dependencies to replace: clocks and the doubles at the edge of the process, in tests. */
  overrides?: Partial<Deps>;
}

export interface RunningService<Deps> {
  name: string;
  /** Base address of its HTTP operations. */
  url: string;
  internalUrl: string;
  /** Addresses of its further doors, by name. */
  doors: Record<string, string>;
  deps: Deps;
  workers: ReadonlyMap<string, Worker>;
  consumers: readonly Consumer[];
  /** Why it is not ready, or undefined. */
  notReady(): Promise<string | undefined>;
  /**
   * Readiness turns false, then running requests, handlers of events and passes finish, then what lies in the outbox is
   * published, then connections close.
   */
  stop(): Promise<void>;
}

/** A name server that says nothing for this long has no answer. */
const LOOK_UP_MS = 3_000;

/** A request that outlives this is cut when the service stops. */
const STOP_GRACE_MS = 20_000;

export async function startService<Config, Db extends { $disconnect(): Promise<void> }, Deps>(
  definition: ServiceDefinition<Config, Db, Deps>,
  options: StartOptions<Deps>,
): Promise<RunningService<Deps>> {
  const { environment, transport, bus, logger } = options;
  const platform = platformConfig.read(environment);
  const config = definition.config.read(environment);
  const metrics = createMetrics(definition.name);
  const database = openDatabase(definition.database, {
    url: platform.databaseUrl,
    poolSize: platform.databasePoolSize,
    onError: (error) => logger.warn({ error }, 'an idle database connection broke; the pool replaces it'),
  });
  const addressPolicy = addressPolicyOf(platform);
  const outboundHttp = createOutboundHttp({
    policy: addressPolicy,
    allowHttpOnLoopback: platform.mode === 'embedded',
    resolve: createHostResolver(LOOK_UP_MS),
  });
  const rpc = createRpc(transport, {
    service: definition.name,
    onFault: (error, operation, context) =>
      logger.error({ error, operation, request_id: context.requestId }, 'an RPC operation failed'),
  });
  const observe = requestObserver(logger, metrics);
  const context: ServiceContext<Config, Db> = {
    config,
    platform,
    db: database.client,
    rpc,
    bus,
    secrets: createSecretBox(parseEncryptionKeys(platform.encryptionKeys)),
    addressPolicy,
    outboundHttp,
    verifyCaller: createCallerVerifier(platform.callerSecret),
    logger,
    metrics,
    observe,
  };
  const deps = { ...(await definition.connect(context)), ...options.overrides };
  definition.rpc?.(rpc, deps);

  const listener =
    definition.frontDoor?.(deps) ??
    createHttpApp({ routes: definition.routes, deps, verifyCaller: context.verifyCaller, observe });

  let stopping = false;
  const notReady = async () => {
    if (stopping) return 'stopping';
    if (!rpc.isReady()) return 'NATS is not connected';
    await database.ping();
    return undefined;
  };
  const doors = new Map<string, Door>();
  doors.set('api', await openDoor(listener, platform.host, platform.port));
  for (const door of definition.doors?.(deps) ?? [])
    doors.set(door.name, await openDoor(door.listener, door.host, door.port));
  const internal = await openDoor(
    internalApp(notReady, metrics.registry),
    platform.internalHost,
    platform.internalPort,
  );

  const workers = new Map((definition.workers?.(deps) ?? []).map((worker) => [worker.name, worker]));
  const consumers = definition.consumers?.(deps) ?? [];
  const runs = options.runWorkers !== false;
  const loops = runs ? [...workers.values()].map((worker) => repeat(worker, logger, metrics)) : [];
  const subscriptions = runs ? await startConsumers(consumers, bus, logger, metrics) : [];

  return {
    name: definition.name,
    url: doors.get('api')?.url ?? '',
    internalUrl: internal.url,
    doors: Object.fromEntries([...doors].map(([name, door]) => [name, door.url])),
    deps,
    workers,
    consumers,
    notReady: () => notReady().catch((error: Error) => error.message),
    async stop() {
      stopping = true;
      await new Promise((resolve) => setTimeout(resolve, platform.drainDelayMs));
      await Promise.all([...doors.values()].map((door) => door.close(STOP_GRACE_MS)));
      await Promise.all(subscriptions.map((subscription) => subscription.close()));
      await Promise.all(loops.map((loop) => loop.stop()));
      await definition.close?.(deps);
      if (runs) await finishWorkers([...workers.values()], logger);
      await outboundHttp.close();
      await internal.close(0);
      await database.close();
    },
  };
}

function addressPolicyOf(platform: PlatformConfig) {
  const allowCidrs = platform.outboundAllowCidrs
    .split(',')
    .map((cidr) => cidr.trim())
    .filter(Boolean);
  return createAddressPolicy({ allowCidrs, allowLoopback: platform.mode === 'embedded' });
}
