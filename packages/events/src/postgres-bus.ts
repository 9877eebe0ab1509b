import path from 'node:path';
import pg from 'pg';
import { applyMigrations } from '@trunkline/database';
import {
  CLOSE_GRACE_MS,
  DEFAULT_PARTITIONS,
  type EventBus,
  type EventLog,
  type SubscribeOptions,
  type Subscription,
} from './event-bus.js';
import { PostgresListener } from './postgres-listener.js';
import { appendToLog, ensureTopic, pruneLog } from './postgres-log.js';
import { runMember, type RunningMember } from './postgres-member.js';
import { countLag, voidLeases } from './postgres-offsets.js';
import { splitBySize } from './split-by-size.js';
import { within } from './within.js';

export interface PostgresBusOptions {
  url: string;
  log: EventLog;
  /** Of a topic that is made on first use. */
  partitions?: number;
  /** A member that does not renew its lease for so long has died. Default 5,000. */
  leaseMs?: number;
  /** No other process works on this database: leases that a killed predecessor left are void at once. */
  alone?: boolean;
}

/** The bus of the embedded mode: an append-only log and positions per group, in the schema `events`. */
export interface PostgresBus extends EventBus {
  /** Makes or updates its schema, for who has not applied `eventsDatabase` beforehand. */
  migrate(): Promise<void>;
  /** Deletes one batch of old messages; the bus does it by itself every hour. */
  prune(): Promise<number>;
}

/** Its schema and migrations, for `applyMigrations`. */
export const eventsDatabase = {
  schema: 'events',
  migrationsDir: path.resolve(__dirname, '../migrations'),
};

const APPEND = { maxCount: 1_000, maxBytes: 16_777_216 };
const PRUNE_EVERY_MS = 3_600_000;
const PRUNE_BATCH = 5_000;

/** Connects on first use; connections broken by a restart of PostgreSQL are replaced. */
export function createPostgresBus(options: PostgresBusOptions): PostgresBus {
  const { url, log, partitions = DEFAULT_PARTITIONS, leaseMs = 5_000, alone = false } = options;
  const pool = openPool(url);
  const listener = new PostgresListener(url);
  const subscriptions = new Set<Subscription>();
  const topics = new Map<string, number>();
  let connected = true;
  let pruning: NodeJS.Timeout | undefined;

  const exchange = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      const result = await work();
      connected = true;
      return result;
    } catch (error) {
      connected = false;
      throw error;
    }
  };
  const partitionsOf = async (topic: string) => {
    const known = topics.get(topic) ?? (await ensureTopic(pool, topic, partitions));
    topics.set(topic, known);
    return known;
  };
  let voided: Promise<void> | undefined;
  let closed: Promise<void> | undefined;
  const close = async () => {
    clearInterval(pruning);
    await within(CLOSE_GRACE_MS, Promise.all([...subscriptions].map((each) => each.close())));
    await listener.close();
    await pool.end();
  };
  const prune = () => pruneLog(pool, PRUNE_BATCH);

  return {
    async migrate() {
      await applyMigrations({ url, schema: eventsDatabase.schema, dir: eventsDatabase.migrationsDir });
    },
    prune,
    publish: (topic, messages) =>
      exchange(async () => {
        const count = await partitionsOf(topic);
        const parts = splitBySize(messages, ({ payload }) => payload.length, APPEND);
        for (const part of parts) await appendToLog(pool, topic, count, part);
      }),
    async subscribe(wanted) {
      await exchange(() => partitionsOf(wanted.topic));
      if (alone) await (voided ??= voidLeases(pool));
      pruning ??= setInterval(() => void pruneAll(prune, log), PRUNE_EVERY_MS).unref();
      const subscription = startMembers(pool, listener, wanted, { leaseMs, log });
      subscriptions.add(subscription);
      return subscription;
    },
    lag: (topic, group) => exchange(() => countLag(pool, topic, group)),
    isConnected: () => connected,
    close: () => (closed ??= close()),
  };
}

function startMembers(
  pool: pg.Pool,
  listener: PostgresListener,
  wanted: SubscribeOptions,
  running: { leaseMs: number; log: EventLog },
): Subscription {
  const members: RunningMember[] = Array.from({ length: wanted.concurrency ?? 1 }, () =>
    runMember(pool, wanted, running),
  );
  const mute = listener.listen(wanted.topic, () => members.forEach((member) => member.wake()));
  return {
    async close() {
      mute();
      await Promise.all(members.map((member) => member.stop()));
    },
  };
}

function openPool(url: string): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    options: `-c search_path=${eventsDatabase.schema}`,
    application_name: 'events',
    max: 8,
    idleTimeoutMillis: 30_000,
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
  });
  // Without a listener an idle connection that breaks would end the process.
  pool.on('error', () => undefined);
  return pool;
}

async function pruneAll(prune: () => Promise<number>, log: EventLog): Promise<void> {
  try {
    while ((await prune()) === PRUNE_BATCH);
  } catch (error) {
    log.warn({ error }, 'old events could not be deleted; the next hour tries again');
  }
}
