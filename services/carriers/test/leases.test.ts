import fc from 'fast-check';
import { eventually, startTestService } from '@trunkline/testing';
import { service } from '../src/service.js';
import {
  activeOf,
  insertCarrier,
  miscounted,
  newAccount,
  pause,
  refresh,
  release,
  renew,
  reserve,
  reserved,
  startReplica,
  type Account,
  type Carriers,
} from './routing-fixtures.js';

const NONE = 'NO_CARRIER_AVAILABLE';
const LEASE_MS = 1_500;
const environment = { CHANNEL_LEASE_SECONDS: String(LEASE_MS / 1_000) };

let first: Carriers;
let second: Carriers;
let account: Account;
beforeAll(async () => {
  first = await startTestService(service, { environment });
  second = await startReplica(first, { environment });
});
afterAll(async () => {
  await second.stop();
  await first.stop();
});
beforeEach(() => (account = newAccount()));
afterEach(async () => expect(await miscounted(db())).toEqual([]));

const db = () => first.deps.db;
const replica = (n: number) => (n % 2 === 0 ? first : second);

async function carrierWith(fixture: Parameters<typeof insertCarrier>[2]): Promise<string> {
  const id = await insertCarrier(db(), account.auth_id, fixture);
  await refresh(first, second);
  return id;
}

/** `count` calls at the same moment, over both replicas; answers the leases of those that got a channel of the carrier. */
async function race(count: number, carrierId: string) {
  const answers = await Promise.allSettled(
    Array.from({ length: count }, (_, n) => reserve(replica(n), account)),
  );
  const leases: string[] = [];
  const others: string[] = [];
  for (const answer of answers) {
    if (answer.status === 'rejected') others.push((answer.reason as { code: string }).code);
    else if (answer.value.carrier.id === carrierId) leases.push(answer.value.lease_id);
    else others.push(answer.value.carrier.id);
  }
  return { leases, others: new Set(others) };
}

async function expireAll(): Promise<void> {
  for (let n = 0; (await replica(n).pass('expire-leases')) > 0; n++);
}

test('of 200 calls racing over two replicas for 7 channels, 7 get one and the others are refused; released, 7 get one again', async () => {
  const carrier = await carrierWith({ max_channels: 7 });
  for (let round = 0; round < 3; round++) {
    const { leases, others } = await race(200, carrier);
    expect(leases).toHaveLength(7);
    expect(others).toEqual(new Set([NONE]));
    expect(await activeOf(db(), carrier)).toBe(7);
    expect(await release(second, leases)).toEqual({ released: 7 });
    expect(await activeOf(db(), carrier)).toBe(0);
  }
});

test('the losers of the race fall through to the next carrier', async () => {
  const next = await insertCarrier(db(), account.auth_id, { priority: 1, max_channels: 500 });
  const carrier = await carrierWith({ max_channels: 7 });
  const { leases, others } = await race(200, carrier);
  expect(leases).toHaveLength(7);
  expect(others).toEqual(new Set([next]));
  expect(await activeOf(db(), next)).toBe(193);
});

test('channels nobody renews are free again by themselves, and 7 calls get one again', async () => {
  const carrier = await carrierWith({ max_channels: 7 });
  const { leases } = await race(20, carrier);
  expect(await reserved(first, account)).toBe(NONE);
  await pause(LEASE_MS);
  expect(await activeOf(db(), carrier)).toBe(7);
  await Promise.all([first.pass('expire-leases'), second.pass('expire-leases')]);
  expect(await activeOf(db(), carrier)).toBe(0);
  expect((await race(20, carrier)).leases).toHaveLength(7);
  expect(await release(first, leases)).toEqual({ released: 0 });
  expect(await activeOf(db(), carrier)).toBe(7);
});

test('renewed channels stay taken; those that had run out are told as lost', async () => {
  const carrier = await carrierWith({ max_channels: 4 });
  const { leases } = await race(4, carrier);
  const [forgotten, ...kept] = leases as [string, ...string[]];
  for (let n = 0; n < 4; n++) {
    await pause(LEASE_MS / 2);
    const asked = Date.now();
    const { expires_at, lost } = await renew(replica(n), kept);
    expect(lost).toEqual([]);
    expect(Math.abs(Date.parse(expires_at) - asked - LEASE_MS)).toBeLessThan(500);
    await replica(n).pass('expire-leases');
  }
  expect(await activeOf(db(), carrier)).toBe(3);
  // The same whether its row was swept or not.
  expect((await renew(first, [...kept, forgotten])).lost).toEqual([forgotten]);
  await pause(LEASE_MS);
  expect((await renew(first, leases)).lost.sort()).toEqual([...leases].sort());
  await expireAll();
  expect(await activeOf(db(), carrier)).toBe(0);
});

test('an owner that died blocks its channel no longer than its lease while the workers run', async () => {
  const carrier = await carrierWith({ max_channels: 1 });
  const worker = await startReplica(first, { environment, runWorkers: true });
  try {
    const began = Date.now();
    expect(await reserved(first, account)).toBe(carrier);
    expect(await reserved(second, account)).toBe(NONE);
    await eventually(async () => expect(await reserved(second, account)).toBe(carrier));
    expect(Date.now() - began).toBeGreaterThanOrEqual(LEASE_MS);
    expect(Date.now() - began).toBeLessThan(LEASE_MS + 2_000);
  } finally {
    await worker.stop();
  }
});

test('releasing twice, or a lease that never was, frees nothing twice', async () => {
  const carrier = await carrierWith({ max_channels: 3 });
  const { leases } = await race(3, carrier);
  const freed = await Promise.all(
    Array.from({ length: 10 }, (_, n) => release(replica(n), [leases[0]!, account.account_id])),
  );
  expect(freed.reduce((sum, { released }) => sum + released, 0)).toBe(1);
  expect(await activeOf(db(), carrier)).toBe(2);
});

test('a lowered max_channels takes no channel away and gives none out until enough are free', async () => {
  const carrier = await carrierWith({ max_channels: 5 });
  const { leases } = await race(10, carrier);
  await db().carrier.update({ where: { id: carrier }, data: { maxChannels: 2 } });
  expect(await reserved(first, account)).toBe(NONE);
  await release(first, leases.slice(0, 3));
  expect((await race(20, carrier)).leases).toHaveLength(0);
  await release(first, leases.slice(3, 4));
  expect((await race(20, carrier)).leases).toHaveLength(1);
  await db().carrier.update({ where: { id: carrier }, data: { maxChannels: 4 } });
  expect((await race(20, carrier)).leases).toHaveLength(2);
});

test('max_channels lowered in the middle of a race: no call that begins afterwards goes above it', async () => {
  const carrier = await carrierWith({ max_channels: 50 });
  const racing = race(100, carrier);
  await db().carrier.update({ where: { id: carrier }, data: { maxChannels: 5 } });
  await racing;
  const active = (await activeOf(db(), carrier))!;
  expect((await race(20, carrier)).leases).toHaveLength(Math.max(0, 5 - active));
});

test('a call that waited for the counter of a carrier looks at it again', async () => {
  const carrier = await carrierWith({ max_channels: 3 });
  let waiting: Promise<string>[] = [];
  await db().$transaction(async (transaction) => {
    await transaction.carrierChannels.update({ where: { carrierId: carrier }, data: { active: 2 } });
    waiting = [0, 1, 2, 3].map((n) => reserved(replica(n), account));
    await pause(200);
  });
  expect((await Promise.all(waiting)).sort()).toEqual([carrier, NONE, NONE, NONE].sort());
  await db().carrierChannels.update({ where: { carrierId: carrier }, data: { active: { decrement: 2 } } });
});

test('calls on a deleted carrier keep their leases and end without an error', async () => {
  const carrier = await carrierWith({ max_channels: 3 });
  const { leases } = await race(3, carrier);
  await db().carrier.delete({ where: { id: carrier } });
  expect((await renew(first, leases)).lost).toEqual([]);
  expect(await release(first, leases.slice(0, 1))).toEqual({ released: 1 });
  await pause(LEASE_MS);
  await expireAll();
  expect(await db().channelLease.count({ where: { carrierId: carrier } })).toBe(0);
});

test('batches that touch the same leases and carriers in different orders do not block each other', async () => {
  const carriers: string[] = [];
  for (let n = 0; n < 8; n++)
    carriers.push(await insertCarrier(db(), account.auth_id, { max_channels: 500 }));
  await refresh(first, second);
  const { leases } = await db().$transaction(async (transaction) => {
    const rows = await transaction.$queryRaw<{ id: string }[]>`
      insert into channel_leases (id, carrier_id, expires_at)
      select gen_random_uuid(), id, now() + random() * interval '1 minute' from unnest(${carriers}::uuid[]) id, generate_series(1, 250)
      returning id`;
    await transaction.carrierChannels.updateMany({
      where: { carrierId: { in: carriers } },
      data: { active: 250 },
    });
    return { leases: rows.map(({ id }) => id) };
  });
  const shuffled = (n: number) =>
    [...leases].sort((a, b) => (a.slice(n % 8) < b.slice(n % 8) ? -1 : 1)).slice(0, 300);
  const batches = Array.from({ length: 40 }, async (_, n) => {
    await pause(n * 5);
    if (n % 4 === 0) await renew(replica(n), shuffled(n));
    else if (n % 4 === 1) await replica(n).pass('expire-leases');
    else await release(replica(n), shuffled(n));
    if (n % 10 === 0)
      await db().$executeRaw`update channel_leases set expires_at = now() where id = ${leases[n]!}::uuid`;
  });
  await Promise.all(batches);
  expect(await miscounted(db())).toEqual([]);
  await release(first, leases.slice(0, 1_000));
  await release(first, leases.slice(1_000));
  expect(await activeOf(db(), carriers[0]!)).toBe(0);
});

test('whatever happens at once, the counter is the number of leases', async () => {
  const carriers: string[] = [];
  for (let n = 0; n < 4; n++) {
    carriers.push(await insertCarrier(db(), account.auth_id, { priority: 10 - n, max_channels: 3 + n }));
  }
  await refresh(first, second);
  const held: string[] = [];
  const step = fc.record({
    kind: fc.constantFrom(
      'reserve',
      'reserve',
      'reserve',
      'renew',
      'release',
      'expire',
      'age',
      'lower',
      'delete',
    ),
    places: fc.array(fc.nat(200), { minLength: 1, maxLength: 8 }),
  });
  const act = async ({ kind, places }: { kind: string; places: number[] }, n: number): Promise<void> => {
    const some = places
      .map((place) => held[place % Math.max(1, held.length)])
      .filter((id) => id !== undefined);
    const carrierId = carriers[places[0]! % carriers.length]!;
    if (kind === 'reserve') {
      await reserve(replica(n), account).then(
        ({ lease_id }) => held.push(lease_id),
        (error: { code: string }) => expect(error.code).toBe(NONE),
      );
    } else if (kind === 'renew' && some.length > 0) await renew(replica(n), some);
    else if (kind === 'release' && some.length > 0) await release(replica(n), some);
    else if (kind === 'expire') await replica(n).pass('expire-leases');
    else if (kind === 'age')
      await db()
        .$executeRaw`update channel_leases set expires_at = now() where id = ${some[0] ?? null}::uuid`;
    else if (kind === 'lower')
      await db().carrier.updateMany({
        where: { id: carrierId },
        data: { maxChannels: 1 + (places[0]! % 6) },
      });
    else if (kind === 'delete' && n % 40 === 0) await db().carrier.deleteMany({ where: { id: carrierId } });
  };
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 30, maxLength: 80 }), async (steps) => {
      await Promise.all(steps.map(act));
      expect(await miscounted(db())).toEqual([]);
    }),
    { numRuns: 25 },
  );
  await pause(LEASE_MS);
  await expireAll();
  expect(await miscounted(db())).toEqual([]);
  expect(await db().carrierChannels.count({ where: { active: { not: 0 } } })).toBe(0);
});
