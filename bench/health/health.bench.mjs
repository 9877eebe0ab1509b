/**
 * The health checker with 10,000 carriers at 30 s in one process: the built carriers service with its workers, a real
 * PostgreSQL and a UDP peer that answers OPTIONS. Run after `pnpm build`:
 *   BENCH_DATABASE_URL=postgresql://… node bench/health/health.bench.mjs [--json]
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import pg from 'pg';

const home = fileURLToPath(new URL('../../services/carriers/', import.meta.url));
const require = createRequire(`${home}package.json`);

const CARRIERS = 10_000;
const PERIOD_MS = 30_000;
const WARM_UP_MS = 5_000;

const quantile = (values, q) =>
  values[Math.min(values.length - 1, Math.floor(values.length * q))] ?? Number.NaN;
const rounded = (value, digits = 0) => Number(value.toFixed(digits));

export async function run() {
  const server = process.env.BENCH_DATABASE_URL;
  if (!server)
    throw new Error('BENCH_DATABASE_URL is not set: a PostgreSQL in which databases may be created');
  const name = `bench_health_${randomBytes(4).toString('hex')}`;
  const url = Object.assign(new URL(server), { pathname: `/${name}` }).href;
  await query(server, `create database ${name}`);
  try {
    return report(await measure(url));
  } finally {
    await query(server, `drop database ${name} with (force)`);
  }
}

async function measure(url) {
  const { applyMigrations } = require('@trunkline/database');
  const { createPostgresBus } = require('@trunkline/events');
  const { createInProcessTransport } = require('@trunkline/rpc');
  const { createLogger, startService } = require('@trunkline/service');
  const { service } = require(`${home}dist/service.js`);
  const responder = new Worker(new URL('./sip-responder.mjs', import.meta.url));
  const [port] = await once(responder, 'message');

  const { schema, migrationsDir: dir } = service.database;
  await applyMigrations({ url, schema, dir });
  const logger = createLogger({ level: 'silent', service: 'bench' });
  const bus = createPostgresBus({ url, log: logger });
  await bus.migrate();
  await seed(url, port);
  const running = await startService(service, {
    environment: environment(url),
    transport: createInProcessTransport(),
    bus,
    logger,
  });
  await delay(WARM_UP_MS);
  const from = new Date();
  const cpu = process.cpuUsage();
  const loop = performance.eventLoopUtilization();
  await delay(PERIOD_MS);
  const cpuSeconds = Object.values(process.cpuUsage(cpu)).reduce((sum, part) => sum + part, 0) / 1e6;
  const busy = performance.eventLoopUtilization(loop).utilization;
  const to = new Date();
  await running.stop();
  await bus.close();
  await responder.terminate();
  return { probes: await probesBetween(url, from, to), cpuSeconds, busy };
}

/** Carriers in the middle of their lives: each is due when its phase comes. */
async function seed(url, port) {
  const { nextProbeAt } = require(`${home}dist/domain/health/probe-schedule.js`);
  const ids = Array.from({ length: CARRIERS }, () => randomUUID());
  const due = ids.map((id) => new Date(nextProbeAt(id, Date.now(), PERIOD_MS)).toISOString());
  await query(
    url,
    `insert into carriers.carriers (id, owner, code, name, carrier_type, sip_host, sip_port, transport, max_channels, priority, weight)
     select id, 'owner-' || (n % 1000), id::text, 'Carrier', 'outbound', '127.0.0.1', $2, 'udp', 100, 100, 1
     from unnest($1::uuid[]) with ordinality as t(id, n)`,
    [ids, port],
  );
  const insertHealth = `insert into carriers.carrier_health (carrier_id, next_probe_at) select * from unnest($1::uuid[], $2::timestamptz[])`;
  await query(url, insertHealth, [ids, due]);
}

async function probesBetween(url, from, to) {
  const { probePhaseMs } = require(`${home}dist/domain/health/probe-schedule.js`);
  const { rows } = await query(
    url,
    'select carrier_id, status, response_time_ms, created_at from carriers.health_probes where created_at > $1 and created_at <= $2',
    [from, to],
  );
  return rows.map((row) => ({
    ...row,
    lateMs: (row.created_at.getTime() - probePhaseMs(row.carrier_id, PERIOD_MS)) % PERIOD_MS,
  }));
}

function environment(url) {
  return {
    TRUNKLINE_MODE: 'embedded',
    HOST: '127.0.0.1',
    PORT: '0',
    INTERNAL_HOST: '127.0.0.1',
    INTERNAL_PORT: '0',
    DATABASE_URL: url,
    CALLER_SECRET: randomBytes(32).toString('hex'),
    ENCRYPTION_KEYS: `bench:${randomBytes(32).toString('base64')}`,
    DRAIN_DELAY_MS: '0',
    HEALTH_CHECK_PERIOD_SECONDS: String(PERIOD_MS / 1_000),
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

function report({ probes, cpuSeconds, busy }) {
  const late = probes.map(({ lateMs }) => lateMs).sort((a, b) => a - b);
  const times = probes.map(({ response_time_ms: ms }) => ms ?? Infinity).sort((a, b) => a - b);
  const row = {
    carriers: CARRIERS,
    seconds: PERIOD_MS / 1_000,
    probes: probes.length,
    probedCarriers: new Set(probes.map(({ carrier_id }) => carrier_id)).size,
    failed: probes.filter(({ status }) => status !== 'healthy').length,
    lateP50Ms: rounded(quantile(late, 0.5)),
    lateP99Ms: rounded(quantile(late, 0.99)),
    responseP50Ms: rounded(quantile(times, 0.5)),
    responseP99Ms: rounded(quantile(times, 0.99)),
    // Of one core, with the peer's thread and without PostgreSQL.
    cpuPercent: rounded((cpuSeconds / (PERIOD_MS / 1_000)) * 100),
    eventLoopPercent: rounded(busy * 100),
  };
  const goal = (text, measured, met) => ({ goal: text, measured, met });
  const goals = [
    goal(
      'every one of 10,000 carriers probed within 30 s by one process',
      `${row.probedCarriers}, ${row.failed} failed`,
      // A slot at the very edge of the window may fall to either side of it.
      row.probedCarriers >= CARRIERS * 0.995 && row.failed === 0,
    ),
    goal('a probe starts at most 1 s late (99th percentile)', `${row.lateP99Ms} ms`, row.lateP99Ms <= 1_000),
    goal('on at most half of the event loop', `${row.eventLoopPercent} %`, row.eventLoopPercent <= 50),
  ];
  return { name: 'health', rows: [row], goals };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const result = await run();
  if (process.argv.includes('--json')) {
    console.log(JSON.stringify(result, null, 2));
  } else {
    console.table(result.rows);
    console.table(result.goals);
  }
}
