import type { Registry } from 'prom-client';
import type { EventBus, EventLog } from './event-bus.js';
import { retryPauseMs } from './handle-with-retry.js';
import {
  deleteFromOutbox,
  hasOutboxRows,
  listOutbox,
  lockOutbox,
  type OutboxRow,
  type SqlClient,
} from './outbox.js';
import { relayMetrics } from './relay-metrics.js';

export interface RelayOptions {
  /** The service's database client: the outbox lies in its schema. */
  db: SqlClient & {
    $transaction<R>(
      work: (transaction: SqlClient) => Promise<R>,
      options: { maxWait: number; timeout: number },
    ): Promise<R>;
  };
  bus: EventBus;
  log: EventLog;
  registry: Registry;
}

/** A worker (packages/service) that publishes what lies in the outbox, and only then deletes it: at least once. */
export interface Relay {
  readonly name: string;
  readonly everyMs: number;
  pass(): Promise<{ handled: number; more: boolean }>;
  /** After a commit that appended: the next pass follows at once. */
  wake(): void;
  /** The frame hangs its loop in here. */
  onStart(wake: () => void): void;
  /** Publishes what is left when the service stops; gives up when the broker is away. */
  finish(): Promise<void>;
}

const BATCH = 500;
const BATCH_BYTES = 8_388_608;
/** Finds what nobody woke it for: rows of a process that died, or of one without a relay. */
const POLL_MS = 100;
/** Another replica is relaying this very moment, and may have begun before our rows were there. */
const BUSY_MS = 5;
const FINISH_MS = 5_000;
const TRANSACTION = { maxWait: 5_000, timeout: 60_000 };

export function createRelay({ db, bus, log, registry }: RelayOptions): Relay {
  const metrics = relayMetrics(registry, db);
  let wakeLoop = (): void => undefined;
  let woken = true;
  let failures = 0;
  let retryAt = 0;

  const settle = (error: unknown): boolean => {
    if (error === undefined) {
      if (failures > 0) log.warn({ failures }, 'events are published again');
      failures = 0;
      return true;
    }
    failures += 1;
    retryAt = performance.now() + retryPauseMs(failures);
    if (failures === 1) log.error({ error }, 'events cannot be published; they wait in the outbox');
    return false;
  };
  const pass = async () => {
    if (performance.now() < retryAt) return { handled: 0, more: false };
    const due = woken || (await hasOutboxRows(db));
    woken = false;
    if (!due) return { handled: 0, more: false };
    const result = await db.$transaction((transaction) => relayBatch(transaction, bus), TRANSACTION);
    if (result === 'busy') {
      setTimeout(wake, BUSY_MS).unref();
      return { handled: 0, more: false };
    }
    for (const [topic, count] of result.published) metrics.published.inc({ topic }, count);
    return { handled: result.handled, more: settle(result.error) && result.more };
  };
  const wake = () => {
    woken = true;
    wakeLoop();
  };

  return {
    name: 'relay-outbox',
    everyMs: POLL_MS,
    pass,
    wake,
    onStart: (wakeTheLoop) => void (wakeLoop = wakeTheLoop),
    async finish() {
      const deadline = performance.now() + FINISH_MS;
      while (performance.now() < deadline && failures === 0 && (await pass()).handled > 0);
    },
  };
}

interface RelayedBatch {
  handled: number;
  /** There may be more: the next pass looks. */
  more: boolean;
  published: Map<string, number>;
  /** Why the rest could not be published. */
  error: unknown;
}

/** Topics stand apart: one that the broker refuses does not hold up another. */
async function relayBatch(transaction: SqlClient, bus: EventBus): Promise<RelayedBatch | 'busy'> {
  if (!(await lockOutbox(transaction))) return 'busy';
  const rows = await listOutbox(transaction, BATCH, BATCH_BYTES);
  const published = new Map<string, number>();
  const done: string[] = [];
  let error: unknown;
  for (const [topic, messages] of byTopic(rows)) {
    try {
      await bus.publish(topic, messages.map(toMessage));
      published.set(topic, messages.length);
      done.push(...messages.map(({ seq }) => seq));
    } catch (cause) {
      error = cause;
    }
  }
  if (done.length > 0) await deleteFromOutbox(transaction, done);
  return { handled: done.length, more: rows.length > 0, published, error };
}

function byTopic(rows: readonly OutboxRow[]): Map<string, OutboxRow[]> {
  const topics = new Map<string, OutboxRow[]>();
  for (const row of rows) {
    const known = topics.get(row.topic);
    if (known) known.push(row);
    else topics.set(row.topic, [row]);
  }
  return topics;
}

function toMessage({ key, payload, headers }: OutboxRow) {
  return { key, payload, headers: JSON.parse(headers) as Record<string, string> };
}
