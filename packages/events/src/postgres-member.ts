import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { DEFAULT_BATCH_SIZE, type EventLog, type SubscribeOptions } from './event-bus.js';
import { handleWithRetry } from './handle-with-retry.js';
import { readLog } from './postgres-log.js';
import {
  claimPartition,
  joinGroup,
  releasePartition,
  renewLease,
  type ClaimedPartition,
  type Member,
} from './postgres-offsets.js';
import { createWaker } from './waker.js';

/** Looked for at least so often, for the case that a notification was lost. */
const POLL_MS = 1_000;
const AFTER_FAILURE_MS = 500;
/** Of one batch, behind its first message. */
const BATCH_BYTES = 4_194_304;

export interface RunningMember {
  /** There may be work. */
  wake(): void;
  /** Resolves when the running handler has finished and the lease is given back. */
  stop(): Promise<void>;
}

/** Works on one partition after another, whichever waits longest, until stopped. Failures of the database are ridden out. */
export function runMember(
  pool: pg.Pool,
  options: SubscribeOptions,
  { leaseMs, log }: { leaseMs: number; log: EventLog },
): RunningMember {
  const { topic, group } = options;
  const member: Member = { id: randomUUID(), group, topic, leaseMs };
  const stopping = new AbortController();
  const waker = createWaker();

  const pass = async (): Promise<boolean> => {
    const claimed = await claimPartition(pool, member);
    if (claimed) await workOn(pool, member, claimed, options, stopping.signal, log);
    return claimed !== undefined;
  };
  const loop = async () => {
    let joined = false;
    while (!stopping.signal.aborted) {
      try {
        if (!joined) await joinGroup(pool, topic, group);
        joined = true;
        if (!(await pass())) await waker.wait(POLL_MS);
      } catch (error) {
        if (stopping.signal.aborted) return;
        log.warn({ error, topic, group }, 'the event log is not reachable; trying again');
        await waker.wait(AFTER_FAILURE_MS);
      }
    }
  };
  const done = loop();
  return {
    wake: () => waker.wake(),
    async stop() {
      stopping.abort();
      waker.wake();
      await done;
    },
  };
}

async function workOn(
  pool: pg.Pool,
  member: Member,
  claimed: ClaimedPartition,
  options: SubscribeOptions,
  stopping: AbortSignal,
  log: EventLog,
): Promise<void> {
  const { partition } = claimed;
  const ending = new AbortController();
  const end = () => ending.abort();
  if (stopping.aborted) end();
  stopping.addEventListener('abort', end);
  const renewal = setInterval(() => {
    // A renewal that fails decides nothing: the database says at the end whose partition it is.
    renewLease(pool, member, partition).then(
      (held) => held || end(),
      () => undefined,
    );
  }, member.leaseMs / 3);
  try {
    const limit = options.batchSize ?? DEFAULT_BATCH_SIZE;
    const messages = await readLog(pool, claimed, { limit, maxBytes: BATCH_BYTES });
    const handled = messages.length > 0 && (await handleWithRetry(options, messages, ending.signal, log));
    const upto = handled ? messages.at(-1)?.offset : undefined;
    const kept = await releasePartition(pool, member, partition, upto);
    if (!kept) log.warn({ ...claimed, group: member.group }, 'another member took the partition meanwhile');
  } finally {
    clearInterval(renewal);
    stopping.removeEventListener('abort', end);
  }
}
