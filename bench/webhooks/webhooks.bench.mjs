/**
 * Deliveries from the queue table to a receiver and back into the outbox, against a bare loop that signs and POSTs the
 * same bodies from memory to the same receiver: rounds in turn, ratios of medians. Run after `pnpm build`:
 *   BENCH_DATABASE_URL=postgresql://… node bench/webhooks/webhooks.bench.mjs [--json]
 */
import { fork } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { applyMigrations } from '@trunkline/database';
import { createSecretBox, parseEncryptionKeys } from '@trunkline/secrets';
import { service } from '@trunkline/webhook-dispatcher';
import pg from 'pg';

export const name = 'webhooks: queue to receiver';

/** What each does best with. */
const BARE_CONNECTIONS = 128;
const ATTEMPTS_IN_FLIGHT = 512;
const SUBSCRIPTIONS = 200;
const ROUNDS = 5;
const COUNT = 5_000;
const GROWTH = [1_000, 5_000, 20_000];
const SECRET = `whsec_${randomBytes(24).toString('base64')}`;
const ENCRYPTION_KEYS = `bench:${randomBytes(32).toString('base64')}`;
const PAYLOAD = JSON.stringify({ call_id: randomUUID(), status: 'completed', note: 'x'.repeat(400) });

export async function run() {
  const server = process.env.BENCH_DATABASE_URL;
  if (!server)
    throw new Error('BENCH_DATABASE_URL is not set: a PostgreSQL in which databases may be created');
  const database = `bench_webhooks_${randomBytes(4).toString('hex')}`;
  const url = Object.assign(new URL(server), { pathname: `/${database}` }).href;
  await query(server, `create database ${database}`);
  try {
    await applyMigrations({ url, schema: service.database.schema, dir: service.database.migrationsDir });
    return report(await measure(url));
  } finally {
    await query(server, `drop database ${database} with (force)`);
  }
}

async function measure(url) {
  const receiver = await start('receiver.mjs');
  const receiverUrl = `http://127.0.0.1:${receiver.told.port}`;
  const bare = await start('bare-loop.mjs', {
    CONNECTIONS: String(BARE_CONNECTIONS),
    RECEIVER_URL: receiverUrl,
    SECRET,
  });
  const dispatcher = await start('dispatcher.mjs', {
    WEBHOOK_ATTEMPTS_IN_FLIGHT: String(ATTEMPTS_IN_FLIGHT),
    ENCRYPTION_KEYS,
    DATABASE_URL: url,
  });
  const byBare = (count) => bare.ask({ deliveries: Array.from({ length: count }, inMemory) });
  const byDispatcher = async (count) => {
    await fill(url, receiverUrl, count);
    return dispatcher.ask({ drain: true });
  };
  try {
    await byBare(COUNT);
    await byDispatcher(COUNT);
    const samples = { bare: [], dispatcher: [] };
    for (let round = 0; round < ROUNDS; round++) {
      samples.bare.push(await byBare(COUNT));
      samples.dispatcher.push(await byDispatcher(COUNT));
    }
    const growth = [];
    for (const count of GROWTH) {
      const times = Math.max(1, Math.min(3, Math.round(5_000 / count)));
      const runs = [];
      for (let n = 0; n < times; n++) runs.push(await byDispatcher(count));
      growth.push({ count, cpuMs: median(runs.map(({ cpuMs }) => cpuMs)) });
    }
    return { samples, growth };
  } finally {
    for (const each of [bare, dispatcher, receiver]) each.stop();
  }
}

function inMemory() {
  const id = randomUUID();
  return { id, event: 'call.completed', body: bodyOf(id) };
}

const bodyOf = (id) =>
  `{"event":"call.completed","delivery_id":"${id}","occurred_at":"2026-01-15T12:00:00.000Z","data":${PAYLOAD}}`;

/** Deliveries of many subscriptions, as the consumer takes them over, behind lanes that are not open yet. */
async function fill(url, receiverUrl, count) {
  const box = createSecretBox(parseEncryptionKeys(ENCRYPTION_KEYS));
  const subscriptions = Array.from({ length: SUBSCRIPTIONS }, () => randomUUID());
  const sealed = subscriptions.map((id) =>
    JSON.stringify([{ sealed: box.seal(SECRET, `webhook-secret:${id}`), valid_until: null }]),
  );
  await query(
    url,
    `insert into webhook_dispatcher.deliveries (delivery_id, generation, subscription_id, tenant_id, url, sealed_secrets,
       event_type, body, max_retries, timeout_ms)
     select id, 1, ($2::uuid[])[1 + n % $4], 'TJ00000001', $5, ($3::text[])[1 + n % $4], 'call.completed',
       replace($6, '<id>', id::text), 3, 5000
     from (select gen_random_uuid() as id, n from generate_series(1, $1::int) n) given`,
    [count, subscriptions, sealed, SUBSCRIPTIONS, `${receiverUrl}/hook`, bodyOf('<id>')],
  );
  await query(url, 'truncate webhook_dispatcher.outbox');
  await query(url, 'vacuum analyze webhook_dispatcher.deliveries');
}

async function start(file, env = {}) {
  const child = fork(path.join(import.meta.dirname, file), {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const next = async () => {
    const [message] = await once(child, 'message', { signal: AbortSignal.timeout(60_000) });
    return message;
  };
  return {
    told: await next(),
    async ask(question) {
      const answer = next();
      child.send(question);
      return answer;
    },
    stop: () => child.kill('SIGKILL'),
  };
}

async function query(url, text, values) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await client.query(text, values);
  } finally {
    await client.end();
  }
}

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

/** Of a line through (log count, log CPU) by least squares. */
function slopeOf(growth) {
  const points = growth.map(({ count, cpuMs }) => [Math.log(count), Math.log(cpuMs)]);
  const mean = (axis) => points.reduce((sum, point) => sum + point[axis], 0) / points.length;
  const [mx, my] = [mean(0), mean(1)];
  const over = points.reduce((sum, [x, y]) => sum + (x - mx) * (y - my), 0);
  return over / points.reduce((sum, [x]) => sum + (x - mx) ** 2, 0);
}

function report({ samples, growth }) {
  const summary = (label, of) => ({
    what: label,
    'deliveries/s': Math.round(COUNT / median(of.map(({ seconds }) => seconds))),
    'CPU µs/delivery': +((median(of.map(({ cpuMs }) => cpuMs)) * 1_000) / COUNT).toFixed(1),
  });
  const bare = summary('bare pooled undici loop', samples.bare);
  const dispatcher = summary('dispatcher, database-driven', samples.dispatcher);
  const rows = [
    bare,
    dispatcher,
    ...growth.map(({ count, cpuMs }) => ({
      what: `dispatcher, ${count} deliveries`,
      'CPU µs/delivery': +((cpuMs * 1_000) / count).toFixed(1),
    })),
  ];
  const rate = dispatcher['deliveries/s'] / bare['deliveries/s'];
  const cpu = dispatcher['CPU µs/delivery'] / bare['CPU µs/delivery'];
  const slope = slopeOf(growth);
  const goals = [
    { goal: 'at least 60 % of the bare loop’s deliveries/s', measured: +rate.toFixed(2), met: rate >= 0.6 },
    { goal: 'CPU per delivery ≤ 1.5 × the bare loop’s', measured: +cpu.toFixed(2), met: cpu <= 1.5 },
    {
      goal: 'CPU from 1k to 20k deliveries: log-log slope ≤ 1.05',
      measured: +slope.toFixed(3),
      met: slope <= 1.05,
    },
  ];
  return { name, rows, goals };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const result = await run();
  if (process.argv.includes('--json')) console.log(JSON.stringify(result, null, 2));
  else {
    console.table(result.rows);
    console.table(result.goals);
  }
  process.exit(0);
}
