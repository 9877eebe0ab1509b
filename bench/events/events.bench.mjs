// From the commit of an event to its place on the bus and to its consumer; what the outbox and the bus add to a bare insert.
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { service } from '@trunkline/carriers';
import { appendToOutbox, createPostgresBus } from '@trunkline/events';
import { createInProcessTransport } from '@trunkline/rpc';
import { createLogger, startService } from '@trunkline/service';

export const name = 'Events: outbox, relay, PostgreSQL bus';

const SAMPLES = 300;
const BATCH = 500;
const ROUNDS = 15;
const url = () => process.env.BENCH_DATABASE_URL;
const log = createLogger({ level: 'error', service: 'bench' });

export async function run() {
  const pool = new pg.Pool({ connectionString: url(), options: '-c search_path=carriers' });
  const postgres = createPostgresBus({ url: url(), log });
  const times = new Map();
  const bus = stamped(postgres, times);
  const running = await startService(service, {
    environment: environment(),
    transport: createInProcessTransport(),
    bus,
    logger: log,
  });
  await pool.query('create table if not exists bare_outbox (like outbox including all)');
  try {
    const woken = await latencies(running.deps, times, true);
    const unwoken = await latencies(running.deps, times, false, 60);
    const rates = await throughput(running.deps.db, postgres, pool);
    return report(woken, unwoken, rates);
  } finally {
    await running.stop();
    await postgres.close();
    await pool.query('drop table bare_outbox');
    await pool.end();
  }
}

/** Notes when a message was stored on the bus. */
function stamped(bus, times) {
  return {
    ...bus,
    async publish(topic, messages) {
      await bus.publish(topic, messages);
      const now = performance.now();
      for (const { key } of messages) if (times.has(key)) times.get(key).published = now;
    },
  };
}

async function latencies({ db, relay }, times, wake, samples = SAMPLES) {
  const bus = createPostgresBus({ url: url(), log });
  const topic = `bench-${randomUUID()}`;
  await bus.subscribe({
    topic,
    group: 'bench',
    async handle(messages) {
      const now = performance.now();
      for (const { key } of messages) if (times.has(key)) times.get(key).consumed = now;
    },
  });
  const keys = [];
  for (let i = 0; i < samples; i++) {
    const [message] = messagesOf(topic, 1);
    const time = {};
    times.set(message.key, time);
    keys.push(message.key);
    await db.$transaction((transaction) => appendToOutbox(transaction, [message]));
    time.committed = performance.now();
    if (wake) relay.wake();
    await delay(5 + Math.random() * 30);
  }
  const deadline = performance.now() + 5_000;
  while (keys.some((key) => times.get(key).consumed === undefined) && performance.now() < deadline)
    await delay(10);
  await bus.close();
  const since = (moment) => keys.map((key) => times.get(key)[moment] - times.get(key).committed);
  return { publish: since('published'), consume: since('consumed') };
}

/** Events per second of each way, in alternating rounds; each waits for its commit. */
async function throughput(db, bus, pool) {
  const topic = `bench-${randomUUID()}`;
  const ways = {
    bare: (messages) => bareInsert(pool, messages),
    outbox: (messages) => db.$transaction((transaction) => appendToOutbox(transaction, messages)),
    bus: (messages) => bus.publish(topic, messages),
  };
  const rates = new Map(Object.keys(ways).map((way) => [way, []]));
  for (let round = -3; round < ROUNDS; round++) {
    for (const [way, store] of Object.entries(ways)) {
      const messages = messagesOf(topic, BATCH);
      const began = performance.now();
      await store(messages);
      if (round >= 0) rates.get(way).push((BATCH / (performance.now() - began)) * 1_000);
    }
  }
  return rates;
}

async function bareInsert(pool, messages) {
  const columns = ['id', 'topic', 'key', 'payload', 'headers'].map((column) =>
    messages.map((message) => (column === 'headers' ? '{}' : message[column])),
  );
  await pool.query(
    `insert into bare_outbox (id, topic, key, payload, headers)
     select * from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[])`,
    columns,
  );
}

function messagesOf(topic, count) {
  const payload = JSON.stringify({ type: 'bench', filler: 'x'.repeat(400) });
  return Array.from({ length: count }, () => {
    const id = randomUUID();
    return { id, topic, key: id, payload, headers: {} };
  });
}

function report(woken, unwoken, rates) {
  const at = (values, q) => values.toSorted((a, b) => a - b)[Math.floor(values.length * q)];
  const ms = (what, values) => ({
    what,
    p50: +at(values, 0.5).toFixed(1),
    p95: +at(values, 0.95).toFixed(1),
  });
  const rate = (way) => at(rates.get(way), 0.5);
  const perSecond = (what, way) => ({
    what,
    'events/s': Math.round(rate(way)),
    ratio: +(rate(way) / rate('bare')).toFixed(2),
  });
  const p50 = at(woken.publish, 0.5);
  const outbox = rate('outbox') / rate('bare');
  return {
    name,
    rows: [
      ms('commit → published, ms', woken.publish),
      ms('commit → consumed, ms', woken.consume),
      ms('commit → published when nobody wakes the relay, ms', unwoken.publish),
      perSecond(`bare INSERT … SELECT unnest of ${BATCH}`, 'bare'),
      perSecond(`appendToOutbox of ${BATCH} in a transaction`, 'outbox'),
      perSecond(`publish of ${BATCH} on the PostgreSQL bus`, 'bus'),
    ],
    goals: [
      { goal: 'commit → publish p50 ≤ 20 ms', measured: +p50.toFixed(1), met: p50 <= 20 },
      { goal: 'appendToOutbox ≥ 0.4 × a bare insert', measured: +outbox.toFixed(2), met: outbox >= 0.4 },
    ],
  };
}

function environment() {
  return {
    TRUNKLINE_MODE: 'embedded',
    ...{ HOST: '127.0.0.1', PORT: '0', INTERNAL_HOST: '127.0.0.1', INTERNAL_PORT: '0', DRAIN_DELAY_MS: '0' },
    DATABASE_URL: url(),
    CALLER_SECRET: 'x'.repeat(32),
    ENCRYPTION_KEYS: `x:${Buffer.alloc(32).toString('base64')}`,
  };
}
