import { startTestService, type TestService } from '@trunkline/testing';
import type { Deps } from '../src/deps.js';
import type { ProbeOutcome } from '../src/domain/health/probe-outcome.js';
import { service } from '../src/service.js';
import { claimDueProbes, type ClaimedCarrier } from '../src/storage/carrier-health.js';
import { recordProbes } from '../src/use-cases/probe-record.js';
import {
  alive,
  failed,
  healthOf,
  insertCarriers,
  insertOne,
  logOf,
  makeDue,
  probeOnce,
  scriptedProber,
} from './health-fixtures.js';

const prober = scriptedProber();
/** A long period, so that no slot comes by itself within a test. */
const environment = { HEALTH_CHECK_PERIOD_SECONDS: '3600' };
let carriers: TestService<Deps>;
beforeAll(async () => {
  carriers = await startTestService(service, { overrides: { prober: prober.probe }, environment });
});
afterAll(() => carriers.stop());
const db = () => carriers.deps.db;
beforeEach(async () => {
  await db().carrier.deleteMany();
  await db().healthProbe.deleteMany();
  await db().routingChange.deleteMany();
  prober.answer(alive);
});

const scopes = async () => (await db().routingChange.findMany()).map(({ scope }) => scope);

/** One period after another, each with its outcome. */
async function probeWith(id: string, ...outcomes: ProbeOutcome[]): Promise<void> {
  for (const outcome of outcomes) {
    prober.answer(outcome);
    await makeDue(db(), [id]);
    await probeOnce(carriers);
  }
}

/** Claims one carrier as a replica does that then answers late. */
async function claim(id: string): Promise<ClaimedCarrier> {
  await makeDue(db(), [id]);
  const claimed = await claimDueProbes(db(), 3_600_000, 1_000);
  return claimed.find((carrier) => carrier.id === id)!;
}

test('a success is logged with whole milliseconds, a failure with its message', async () => {
  const id = await insertOne(db());
  await probeWith(id, alive, failed, { kind: 'alive', responseTimeMs: 0.2 });
  expect(await logOf(db(), id)).toMatchObject([
    { carrierId: id, status: 'healthy', responseTimeMs: 12, errorMessage: null },
    { carrierId: id, status: 'unhealthy', responseTimeMs: null, errorMessage: 'timeout' },
    { carrierId: id, status: 'healthy', responseTimeMs: 1, errorMessage: null },
  ]);
});

test('the owner reads the log over the API, latest first', async () => {
  const id = await insertOne(db());
  await probeWith(id, alive, failed);
  const caller = {
    kind: 'account',
    auth_id: 'TJ00000001',
    account_id: id,
    tenant_id: 'TJ00000001',
    currency: 'USD',
    billing_mode: 'postpaid',
  } as const;
  const { body } = await carriers.as(caller).get(`/v1/carriers/${id}/health`).expect(200);
  expect(body).toEqual([
    {
      id: expect.any(String),
      carrier_id: id,
      status: 'unhealthy',
      error_message: 'timeout',
      created_at: expect.any(String),
    },
    {
      id: expect.any(String),
      carrier_id: id,
      status: 'healthy',
      response_time_ms: 12,
      created_at: expect.any(String),
    },
  ]);
});

test('two failures make it unhealthy, one success brings it back, and routing hears of both', async () => {
  const id = await insertOne(db(), { owner: 'TJ0000000A' });
  await probeWith(id, alive);
  expect(await scopes()).toEqual(['TJ0000000A']);
  await probeWith(id, failed);
  expect(await healthOf(db(), id)).toMatchObject({ status: 'healthy', consecutiveFailures: 1 });
  expect(await scopes()).toHaveLength(1);
  await probeWith(id, failed);
  expect(await healthOf(db(), id)).toMatchObject({ status: 'unhealthy', consecutiveFailures: 2 });
  expect(await scopes()).toHaveLength(2);
  await probeWith(id, alive);
  expect(await healthOf(db(), id)).toMatchObject({ status: 'healthy', consecutiveFailures: 0 });
  expect(await scopes()).toHaveLength(3);
});

test('routing leaves an unhealthy carrier out at its next refresh', async () => {
  const id = await insertOne(db(), { owner: 'TJ0000000B' });
  const state = () =>
    carriers.deps.routing.routesOf('TJ0000000B')?.index.carriers.find((carrier) => carrier.id === id)
      ?.healthStatus;
  await probeWith(id, failed, failed);
  await carriers.pass('refresh-routing');
  expect(state()).toBe('unhealthy');
  await probeWith(id, alive);
  await carriers.pass('refresh-routing');
  expect(state()).toBe('healthy');
});

test('a slow success is degraded, is logged as healthy, and a fast one is healthy again', async () => {
  const id = await insertOne(db());
  await probeWith(id, { kind: 'alive', responseTimeMs: 1_500.4 });
  expect((await healthOf(db(), id)).status).toBe('degraded');
  expect(await logOf(db(), id)).toMatchObject([{ status: 'healthy', responseTimeMs: 1_500 }]);
  await probeWith(id, alive);
  expect((await healthOf(db(), id)).status).toBe('healthy');
});

test('what this machine could not do is neither logged nor counted, but told in our own log', async () => {
  const id = await insertOne(db());
  await probeWith(id, failed, { kind: 'undecided', error: 'too many open files' });
  expect(await logOf(db(), id)).toHaveLength(1);
  expect(await healthOf(db(), id)).toMatchObject({ status: 'unknown', consecutiveFailures: 1 });
  expect(carriers.logged()).toContain('too many open files');
});

test('a prober that throws says nothing about the carrier', async () => {
  const id = await insertOne(db());
  prober.answer(() => Promise.reject(new Error('a defect')));
  await probeOnce(carriers);
  expect(await logOf(db(), id)).toEqual([]);
  expect((await healthOf(db(), id)).status).toBe('unknown');
});

test('300 probes that end together are written in one transaction', async () => {
  const ids = await insertCarriers(db(), 300);
  const transactions = jest.spyOn(db(), '$transaction');
  for (let pass = 0; pass < 3; pass++) await carriers.pass('probe-carriers');
  await carriers.deps.probes.settled();
  expect(transactions.mock.calls.length).toBeLessThanOrEqual(3);
  transactions.mockRestore();
  expect(await db().healthProbe.count()).toBe(ids.length);
  expect(await db().carrierHealth.count({ where: { status: 'healthy' } })).toBe(ids.length);
});

test('a result that comes late, from a replica that froze, does not overwrite newer ones', async () => {
  const id = await insertOne(db());
  const frozen = await claim(id);
  await probeWith(id, failed, failed);
  await recordProbes(carriers.deps, [{ carrier: frozen, outcome: alive }]);
  expect(await healthOf(db(), id)).toMatchObject({ status: 'unhealthy', consecutiveFailures: 2 });
  expect(await logOf(db(), id)).toHaveLength(2);
});

test('the same results written twice, after an answer of the database was lost, count once', async () => {
  const id = await insertOne(db());
  const results = [{ carrier: await claim(id), outcome: failed }];
  await Promise.all([recordProbes(carriers.deps, results), recordProbes(carriers.deps, results)]);
  await recordProbes(carriers.deps, results);
  expect(await healthOf(db(), id)).toMatchObject({ consecutiveFailures: 1 });
  expect(await logOf(db(), id)).toHaveLength(1);
});

test('ten results of one carrier in one batch, in any order, count in the order of their claims', async () => {
  const id = await insertOne(db());
  const results = [];
  for (let n = 0; n < 10; n++) {
    results.push({ carrier: await claim(id), outcome: n === 7 ? alive : failed });
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  await recordProbes(carriers.deps, results.reverse());
  expect(await healthOf(db(), id)).toMatchObject({ status: 'unhealthy', consecutiveFailures: 2 });
  expect((await logOf(db(), id)).map(({ status }) => status).indexOf('healthy')).toBe(7);
});

test('concurrent results of one carrier are worked in one after the other', async () => {
  const id = await insertOne(db());
  const claims = [];
  for (let n = 0; n < 8; n++) {
    claims.push(await claim(id));
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  await Promise.all(claims.map((carrier) => recordProbes(carriers.deps, [{ carrier, outcome: failed }])));
  const counted = await logOf(db(), id);
  expect((await healthOf(db(), id)).consecutiveFailures).toBe(counted.length);
  expect((await healthOf(db(), id)).lastProbeAt).toEqual(claims.at(-1)!.claimedAt);
});

test('a carrier that is edited or disabled while it is probed keeps its state: the probe went to what it was', async () => {
  const id = await insertOne(db());
  for (const data of [{ sipHost: 'new.example' }, { status: 'disabled' }]) {
    const carrier = await claim(id);
    await db().carrier.update({ where: { id }, data });
    await recordProbes(carriers.deps, [{ carrier, outcome: failed }]);
  }
  expect(await healthOf(db(), id)).toMatchObject({ status: 'unknown', consecutiveFailures: 0 });
  expect(await logOf(db(), id)).toEqual([]);
});

test('a carrier that is deleted while it is probed takes nothing with it', async () => {
  const [gone, stays] = (await insertCarriers(db(), 2)) as [string, string];
  prober.answer(async () => {
    await db().carrier.deleteMany({ where: { id: gone } });
    return alive;
  });
  await probeOnce(carriers);
  expect(await logOf(db(), gone)).toEqual([]);
  expect((await healthOf(db(), stays)).status).toBe('healthy');
});

test('results outlive a database that fails for a moment', async () => {
  const id = await insertOne(db());
  const transaction = jest.spyOn(db(), '$transaction').mockRejectedValueOnce(new Error('connection lost'));
  await probeOnce(carriers);
  transaction.mockRestore();
  expect(await logOf(db(), id)).toHaveLength(1);
});

test('probes past their 30 days are deleted in batches, younger ones stay', async () => {
  const id = await insertOne(db());
  await db().$executeRaw`
    insert into health_probes (id, carrier_id, status, created_at)
    select gen_random_uuid(), ${id}::uuid, 'healthy', now() - n * interval '1 day' from generate_series(1, 29) n`;
  await db().$executeRaw`
    insert into health_probes (id, carrier_id, status, created_at)
    select gen_random_uuid(), ${id}::uuid, 'healthy', now() - interval '31 days' from generate_series(1, 6000)`;
  const worker = carriers.workers.get('prune-probes')!;
  expect(await worker.pass()).toEqual({ handled: 5_000, more: true });
  expect(await worker.pass()).toEqual({ handled: 1_000, more: false });
  expect(await db().healthProbe.count()).toBe(29);
});
