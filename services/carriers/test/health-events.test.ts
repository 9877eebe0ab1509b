import { carriersContract, eventsTopic, type EventEnvelope } from '@trunkline/contracts';
import { consumeEvents, createConsumerMetrics } from '@trunkline/events';
import { createMetrics } from '@trunkline/service';
import { accountCaller, eventually, startTestService, type TestService } from '@trunkline/testing';
import type { Deps } from '../src/deps.js';
import type { ProbeOutcome } from '../src/domain/health/probe-outcome.js';
import { service } from '../src/service.js';
import { claimDueProbes } from '../src/storage/carrier-health.js';
import { recordProbes } from '../src/use-cases/probe-record.js';
import { alive, failed, healthOf, logOf, makeDue, probeOnce, scriptedProber } from './health-fixtures.js';

const prober = scriptedProber();
/** A long period, so that no slot comes by itself within a test. */
const environment = { HEALTH_CHECK_PERIOD_SECONDS: '3600' };
const caller = accountCaller(1);
const seen: EventEnvelope<carriersContract.CarrierHealthChanged>[] = [];
let carriers: TestService<Deps>;
beforeAll(async () => {
  carriers = await startTestService(service, { overrides: { prober: prober.probe }, environment });
  const { carrierHealthy, carrierUnhealthy } = carriersContract;
  await consumeEvents(
    {
      group: 'test',
      topic: eventsTopic,
      contracts: [carrierHealthy, carrierUnhealthy],
      handle: async (events) => void seen.push(...(events as typeof seen)),
    },
    {
      bus: carriers.bus,
      log: carriers.deps.logger,
      metrics: createConsumerMetrics(createMetrics('test').registry),
    },
  );
});
afterAll(() => carriers.stop());

const db = () => carriers.deps.db;
const of = (id: string) => seen.filter(({ data }) => data.carrier_id === id);
const slow: ProbeOutcome = { kind: 'alive', responseTimeMs: 1_500 };

async function createCarrier(): Promise<string> {
  const { body } = await carriers
    .as(caller)
    .post('/v1/carriers')
    .send({ name: 'Acme', sip_host: 'acme.example' });
  return body.id as string;
}

async function probeWith(id: string, ...outcomes: ProbeOutcome[]): Promise<void> {
  for (const outcome of outcomes) {
    prober.answer(outcome);
    await makeDue(db(), [id]);
    await probeOnce(carriers);
  }
}

/** Publishes what waits, and lets a marker behind it arrive: then nothing more is under way. */
async function published(): Promise<void> {
  while ((await carriers.pass('relay-outbox')) > 0);
  await eventually(async () => expect(await carriers.bus.lag('events', 'test')).toBe(0));
}

test('a carrier that dies and comes back tells its tenant exactly twice, in order, with what happened', async () => {
  const id = await createCarrier();
  const { code } = await db().carrier.findUniqueOrThrow({ where: { id } });
  await probeWith(id, alive, failed, failed, failed, failed, alive, alive);
  await published();
  const log = await logOf(db(), id);
  const told = (n: number, health_status: string, error_message: string | null) => ({
    tenant_id: caller.tenant_id,
    occurred_at: log[n]!.createdAt.toISOString(),
    data: {
      ...{ carrier_id: id, code, name: 'Acme', health_status, error_message },
      changed_at: log[n]!.createdAt.toISOString(),
    },
  });
  expect(of(id)).toMatchObject([
    { type: 'carrier.unhealthy', ...told(2, 'unhealthy', 'timeout') },
    { type: 'carrier.healthy', ...told(5, 'healthy', null) },
  ]);
  expect(new Set(of(id).map((event) => event.id)).size).toBe(2);
});

test('being slow is told only of a carrier that was unhealthy', async () => {
  const id = await createCarrier();
  await probeWith(id, alive, slow, alive, failed, failed, slow, alive);
  await published();
  expect(of(id).map(({ data }) => data.health_status)).toEqual(['unhealthy', 'degraded']);
});

test('the same results written twice and at once tell once', async () => {
  const id = await createCarrier();
  await probeWith(id, failed);
  await makeDue(db(), [id]);
  const [carrier] = await claimDueProbes(db(), 3_600_000, 1_000);
  const results = [{ carrier: carrier!, outcome: failed }];
  await Promise.all(Array.from({ length: 5 }, () => recordProbes(carriers.deps, results)));
  await published();
  expect(of(id)).toHaveLength(1);
});

test('a state that could not be saved is not told', async () => {
  const id = await createCarrier();
  await probeWith(id, failed);
  await db().$executeRaw`
    create function refuse() returns trigger language plpgsql as $$ begin raise exception 'disk full'; end $$`;
  await db().$executeRaw`create trigger refuse before insert on outbox execute function refuse()`;
  await probeWith(id, failed);
  expect((await healthOf(db(), id)).status).toBe('unknown');
  await db().$executeRaw`drop trigger refuse on outbox`;
  await probeWith(id, failed);
  await published();
  expect(of(id)).toHaveLength(1);
});

test('default carriers belong to no tenant, and nobody is told of them', async () => {
  const operator = carriers.as({ kind: 'operator' });
  const { body } = await operator
    .post('/operator/v1/default-carriers')
    .send({ name: 'Default', sip_host: 'default.example' });
  await probeWith(body.id as string, failed, failed, alive);
  await published();
  expect(of(body.id as string)).toEqual([]);
  expect(await db().outbox.count()).toBe(0);
});
