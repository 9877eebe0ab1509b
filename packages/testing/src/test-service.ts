import { randomBytes } from 'node:crypto';
import pino from 'pino';
import supertest from 'supertest';
import { createPostgresBus, eventsDatabase, type EventBus } from '@trunkline/events';
import { callerHeader, createCallerSigner, type AccountCaller, type Caller } from '@trunkline/http';
import { createInProcessTransport, createRpc, type Rpc, type RpcTransport } from '@trunkline/rpc';
import {
  startService,
  type Environment,
  type RunningService,
  type ServiceDefinition,
} from '@trunkline/service';
import { createTestDatabase, type TestDatabase } from './test-database.js';

const CALLER_SECRET = 'test-caller-secret-test-caller-secret';
const ENCRYPTION_KEYS = `test:${randomBytes(32).toString('base64')}`;

export interface TestService<Deps> extends RunningService<Deps> {
  database: TestDatabase;
  transport: RpcTransport;
  /** What the service publishes to and consumes from; a bus of PostgreSQL on its database unless another was given. */
  bus: EventBus;
  /** Asks as another service would. */
  rpc: Rpc;
  /** A supertest agent whose requests come from this caller, as if through the gateway. */
  as(caller: Caller): ReturnType<typeof supertest.agent>;
  /** Everything the service logged. */
  logged(): string;
  /** Runs one pass of a worker. */
  pass(worker: string): Promise<number>;
}

export interface TestServiceOptions<Deps> {
  overrides?: Partial<Deps>;
  environment?: Environment;
  /** A second replica: the database and the transport of the first. */
  replicaOf?: TestService<Deps>;
  transport?: RpcTransport;
  /** Not closed by `stop`. */
  bus?: EventBus;
  runWorkers?: boolean;
}

/** An account caller with fixed, readable ids; `n` tells accounts apart. */
export function accountCaller(n: number): AccountCaller {
  const digits = n.toString(16).toUpperCase().padStart(8, '0');
  return {
    kind: 'account',
    auth_id: `TJ${digits}`,
    account_id: `00000000-0000-4000-8000-${digits.toLowerCase().padStart(12, '0')}`,
    tenant_id: `TJ${digits.replace(/^0/, 'F')}`,
    currency: 'USD',
    billing_mode: 'postpaid',
  };
}

/** Boots the real service on free ports and a database of its own; its workers run only when asked to. */
export async function startTestService<Config, Db extends { $disconnect(): Promise<void> }, Deps>(
  definition: ServiceDefinition<Config, Db, Deps>,
  options: TestServiceOptions<Deps> = {},
): Promise<TestService<Deps>> {
  const database =
    options.replicaOf?.database ?? (await createTestDatabase(definition.database, eventsDatabase));
  const transport = options.transport ?? options.replicaOf?.transport ?? createInProcessTransport();
  let log = '';
  const logger = pino({ level: 'debug' }, { write: (line: string) => void (log += line) });
  const bus = options.bus ?? createPostgresBus({ url: database.url, log: logger });
  const running = await startService(definition, {
    environment: { ...testEnvironment(database.url), ...options.environment },
    transport,
    bus,
    logger,
    runWorkers: options.runWorkers ?? false,
    ...(options.overrides && { overrides: options.overrides }),
  });
  const sign = createCallerSigner(CALLER_SECRET);
  return {
    ...running,
    database,
    transport,
    bus,
    rpc: createRpc(transport, { service: 'test' }),
    as: (caller) => supertest.agent(running.url).set(callerHeader, sign(JSON.stringify(caller), caller)),
    logged: () => log,
    async pass(name) {
      const worker = running.workers.get(name);
      if (!worker)
        throw new Error(`There is no worker "${name}"; there are: ${[...running.workers.keys()].join(', ')}`);
      return (await worker.pass()).handled;
    },
    async stop() {
      await running.stop();
      if (!options.bus) await bus.close();
      if (!options.replicaOf) await transport.close();
      if (!options.replicaOf) await database.drop();
    },
  };
}

/** The environment of a service under test. */
export function testEnvironment(databaseUrl: string): Environment {
  return {
    TRUNKLINE_MODE: 'embedded',
    HOST: '127.0.0.1',
    PORT: '0',
    INTERNAL_HOST: '127.0.0.1',
    INTERNAL_PORT: '0',
    DATABASE_URL: databaseUrl,
    CALLER_SECRET,
    ENCRYPTION_KEYS,
    DRAIN_DELAY_MS: '0',
  };
}
