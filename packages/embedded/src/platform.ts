import fs from 'node:fs';
import path from 'node:path';
import { applyMigrations } from '@trunkline/database';
import { DEFAULT_PARTITIONS, eventsDatabase, openEventBus } from '@trunkline/events';
import { describeRoutes } from '@trunkline/http';
import { connectNatsTransport, createInProcessTransport, type RpcTransport } from '@trunkline/rpc';
import {
  createLogger,
  startService,
  type AnyService,
  type Environment,
  type RunningService,
} from '@trunkline/service';
import { lockDataDirectory } from './data-directory-lock.js';
import { ensureDemoAccount, type DemoAccount } from './demo-account.js';
import { startEmbeddedPostgres, type EmbeddedPostgres } from './postgres.js';
import { loadSecrets } from './secrets-file.js';
import { backends, gateway, services } from './services.js';

export interface PlatformOptions {
  dataDir: string;
  /** Ports of the public and the operator API; 0 takes a free one. */
  port: number;
  operatorPort: number;
  /** Overrides of any setting; DATABASE_URL, NATS_URL and KAFKA_BROKERS replace the embedded ones. */
  environment?: Environment;
  /** Told what is being done, for people who wait. */
  onProgress?: (step: string) => void;
}

export interface Platform {
  demo: DemoAccount;
  logFile: string;
  running: ReadonlyMap<string, RunningService<unknown>>;
  stop(): Promise<void>;
}

/** All services in this process: embedded PostgreSQL, RPC in-process, state under `dataDir`. */
export async function startPlatform(options: PlatformOptions): Promise<Platform> {
  const { dataDir, onProgress = () => undefined } = options;
  const overrides = options.environment ?? {};
  fs.mkdirSync(dataDir, { recursive: true });
  const secrets = loadSecrets(dataDir);
  const logFile = path.join(dataDir, 'trunkline.log');

  onProgress(overrides.DATABASE_URL ? 'using the PostgreSQL of DATABASE_URL' : 'starting PostgreSQL');
  const postgres = overrides.DATABASE_URL
    ? undefined
    : await startEmbeddedPostgres({ dataDir: path.join(dataDir, 'postgres') });
  const databaseUrl = overrides.DATABASE_URL ?? (postgres as EmbeddedPostgres).url;
  const stopLater: (() => Promise<void>)[] = [];
  if (postgres) stopLater.unshift(() => postgres.stop());
  const stop = async () => {
    for (const step of stopLater) await step();
  };
  try {
    const lock = await lockDataDirectory(databaseUrl).catch((error: Error) => {
      stopLater.length = 0; // the database belongs to the platform that runs already
      throw error;
    });
    stopLater.unshift(() => lock.release());

    onProgress('migrating');
    for (const database of [eventsDatabase, ...services.map((service) => service.database)])
      await applyMigrations({ url: databaseUrl, schema: database.schema, dir: database.migrationsDir });

    onProgress('starting the services');
    const transport: RpcTransport = overrides.NATS_URL
      ? await connectNatsTransport({ servers: overrides.NATS_URL, name: 'trunkline' })
      : createInProcessTransport();
    stopLater.unshift(() => transport.close());
    const bus = openEventBus({
      kafkaBrokers: overrides.KAFKA_BROKERS ?? '',
      databaseUrl,
      clientId: 'trunkline',
      partitions: Number(overrides.TOPIC_PARTITIONS || DEFAULT_PARTITIONS),
      log: createLogger({ level: overrides.LOG_LEVEL ?? 'info', service: 'events', file: logFile }),
      alone: true,
    });
    stopLater.unshift(() => bus.close());

    const environment: Environment = {
      TRUNKLINE_MODE: 'embedded',
      DRAIN_DELAY_MS: '0',
      ...secrets,
      ...overrides,
      DATABASE_URL: databaseUrl,
      // Always loopback: HOST is often set for other reasons, and the embedded mode is not for the network.
      HOST: '127.0.0.1',
      PORT: '0',
      INTERNAL_HOST: '127.0.0.1',
      INTERNAL_PORT: '0',
    };
    const running = new Map<string, RunningService<unknown>>();
    const start = async (definition: AnyService, own: Environment) => {
      const logger = createLogger({
        level: environment.LOG_LEVEL ?? 'info',
        service: definition.name,
        file: logFile,
      });
      const service = await startService(definition, {
        environment: { ...environment, ...own },
        transport,
        bus,
        logger,
      });
      running.set(definition.name, service);
      stopLater.unshift(() => service.stop());
      return service;
    };

    for (const definition of backends) await start(definition, { PORT: '0' });
    const door = await start(gateway, {
      ...gatewayEnvironment(dataDir, running),
      PORT: String(options.port),
      OPERATOR_HOST: environment.HOST,
      OPERATOR_PORT: String(options.operatorPort),
      ...(options.port && { PUBLIC_URL: environment.PUBLIC_URL ?? `http://127.0.0.1:${options.port}` }),
    });
    const demo = await ensureDemoAccount(dataDir, {
      url: door.url,
      operatorUrl: door.doors.operator ?? '',
      operatorToken: environment.OPERATOR_TOKEN ?? '',
    });
    return { demo, logFile, running, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The gateway's table comes straight from the route definitions of the services that run. */
function gatewayEnvironment(
  dataDir: string,
  running: ReadonlyMap<string, RunningService<unknown>>,
): Environment {
  const apiFile = path.join(dataDir, 'api.json');
  fs.writeFileSync(
    apiFile,
    JSON.stringify(backends.flatMap(({ name, routes }) => describeRoutes(name, routes))),
  );
  return { API_FILE: apiFile, UPSTREAMS: [...running].map(([name, { url }]) => `${name}=${url}`).join(',') };
}
