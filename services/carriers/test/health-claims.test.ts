import { startTestService, type TestService } from '@trunkline/testing';
import type { Deps } from '../src/deps.js';
import { nextProbeAt } from '../src/domain/health/probe-schedule.js';
import { service } from '../src/service.js';
import { claimDueProbes } from '../src/storage/carrier-health.js';
import {
  alive,
  healthOf,
  insertCarriers,
  insertOne,
  logOf,
  makeDue,
  probeOnce,
  scriptedProber,
} from './health-fixtures.js';

/** Long, so that no slot comes by itself within a test. */
const PERIOD_MS = 3_600_000;
const environment = { HEALTH_CHECK_PERIOD_SECONDS: '3600' };
const prober = scriptedProber();
let first: TestService<Deps>;
let second: TestService<Deps>;
beforeAll(async () => {
  first = await startTestService(service, { overrides: { prober: prober.probe }, environment });
  second = await startTestService(service, {
    replicaOf: first,
    overrides: { prober: prober.probe },
    environment,
  });
});
afterAll(async () => {
  await second.stop();
  await first.stop();
});
const db = () => first.deps.db;
beforeEach(async () => {
  await db().carrier.deleteMany();
  await db().healthProbe.deleteMany();
  prober.asked.length = 0;
  prober.answer(alive);
});

test('a new carrier is probed at once, and then in the period after', async () => {
  const id = await insertOne(db());
  const before = Date.now();
  expect(await probeOnce(first)).toBe(1);
  const health = await healthOf(db(), id);
  expect(health).toMatchObject({ status: 'healthy', consecutiveFailures: 0 });
  expect(health.nextProbeAt.getTime()).toBeGreaterThan(before);
  expect(health.nextProbeAt.getTime()).toBeLessThanOrEqual(Date.now() + PERIOD_MS);
  expect(await probeOnce(first)).toBe(0);
});

test('SQL and the pure schedule say the same', async () => {
  const ids = await insertCarriers(db(), 500);
  const odd = ['00000000-0000-4000-8000-000000000000', 'ffffffff-ffff-4fff-bfff-ffffffffffff'];
  for (const id of odd) {
    const replaced = ids.pop()!;
    await db().$executeRaw`update carriers set id = ${id}::uuid where id = ${replaced}::uuid`;
  }
  ids.push(...odd);
  for (const periodMs of [100, 333, 30_000, 3_600_000, 86_400_000]) {
    await makeDue(db(), ids);
    const claimed = await claimDueProbes(db(), periodMs, ids.length);
    expect(claimed).toHaveLength(ids.length);
    const planned = new Map(
      (await db().carrierHealth.findMany()).map((row) => [row.carrierId, row.nextProbeAt]),
    );
    for (const { id, claimedAt } of claimed) {
      expect(planned.get(id)).toEqual(new Date(nextProbeAt(id, claimedAt.getTime(), periodMs)));
    }
  }
});

test('twenty claims at once over two replicas take every carrier exactly once', async () => {
  const ids = await insertCarriers(db(), 600);
  for (let round = 1; round <= 3; round++) {
    const handled = await Promise.all(
      Array.from({ length: 20 }, (_, n) => (n % 2 ? first : second).pass('probe-carriers')),
    );
    expect(handled.reduce((sum, each) => sum + each, 0)).toBe(600);
    await Promise.all([first.deps.probes.settled(), second.deps.probes.settled()]);
    const logged = await db().healthProbe.groupBy({ by: ['carrierId'], _count: true });
    expect(logged).toHaveLength(600);
    expect(logged.every(({ _count }) => _count === round)).toBe(true);
    await makeDue(db(), ids);
  }
});

test('over many periods, late or missed, the phase stays', async () => {
  const ids = await insertCarriers(db(), 20);
  await probeOnce(first);
  const phases = async () =>
    Object.fromEntries(
      (await db().carrierHealth.findMany()).map((row) => [
        row.carrierId,
        row.nextProbeAt.getTime() % PERIOD_MS,
      ]),
    );
  const planned = await phases();
  expect(new Set(Object.values(planned)).size).toBeGreaterThan(15);
  for (const late of [0, 1, 250, 3_599_999, 3_600_000, 9_500_000, 86_400_000]) {
    await db().$executeRaw`
      update carrier_health set next_probe_at = now() - ${late}::int * interval '1 millisecond'`;
    expect(await probeOnce(first)).toBe(ids.length);
    // Missed periods are not made up for.
    expect(await probeOnce(first)).toBe(0);
    expect(await phases()).toEqual(planned);
  }
});

test('a claimed probe whose replica dies is made in the next period', async () => {
  const id = await insertOne(db());
  await claimDueProbes(second.deps.db, PERIOD_MS, 10);
  expect(await probeOnce(first)).toBe(0);
  await makeDue(db(), [id]);
  expect(await probeOnce(first)).toBe(1);
  expect(await logOf(db(), id)).toHaveLength(1);
});

test('a disabled carrier and one that names nothing to ask are passed over, and are in nobody’s way', async () => {
  const disabled = await insertOne(db(), { status: 'disabled' });
  const inbound = await insertOne(db(), { carrierType: 'inbound', sipHost: null });
  const byUrl = await insertOne(db(), {
    carrierType: 'inbound',
    sipHost: null,
    healthCheckUrl: 'https://c.example/',
  });
  await probeOnce(first);
  expect(prober.asked).toEqual([{ kind: 'http', url: 'https://c.example/' }]);
  for (const id of [disabled, inbound]) {
    expect((await healthOf(db(), id)).status).toBe('unknown');
    expect((await healthOf(db(), id)).nextProbeAt.getTime()).toBeGreaterThan(Date.now());
    expect(await logOf(db(), id)).toEqual([]);
  }
  expect((await healthOf(db(), byUrl)).status).toBe('healthy');
});

test('at most as many probes as configured are under way, and a slow one holds up no other', async () => {
  const few = await startTestService(service, {
    replicaOf: first,
    overrides: { prober: prober.probe },
    environment: { ...environment, HEALTH_PROBES_IN_FLIGHT: '5' },
  });
  await insertCarriers(db(), 12);
  let release = (): void => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  const slowest = { left: 4 };
  prober.answer(() => (slowest.left-- > 0 ? held.then(() => alive) : Promise.resolve(alive)));
  let claimed = 0;
  while (claimed < 12) {
    claimed += await few.pass('probe-carriers');
    expect(few.deps.probes.count).toBeLessThanOrEqual(5);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  // Eight others went through the one place that the four left.
  expect(await db().healthProbe.count()).toBeGreaterThanOrEqual(7);
  release();
  await few.deps.probes.settled();
  expect(await db().healthProbe.count()).toBe(12);
  await few.stop();
});

test('stopping waits for the probes under way and writes their results', async () => {
  const replica = await startTestService(service, {
    replicaOf: first,
    overrides: { prober: prober.probe },
    environment,
  });
  const id = await insertOne(db());
  prober.answer(() => new Promise((resolve) => setTimeout(() => resolve(alive), 300)));
  expect(await replica.pass('probe-carriers')).toBe(1);
  await replica.stop();
  expect(await logOf(db(), id)).toHaveLength(1);
});
