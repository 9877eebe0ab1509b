import { eventually, startTestService } from '@trunkline/testing';
import { service } from '../src/service.js';
import { withCarrierState } from '../src/domain/routing/route-index.js';
import {
  changed,
  insertCarrier,
  insertRoute,
  newAccount,
  pause,
  refresh,
  reserved,
  startReplica,
  type Account,
  type Carriers,
} from './routing-fixtures.js';

const NONE = 'NO_CARRIER_AVAILABLE';

/** Two replicas whose workers run, and two that refresh only when told to. */
let running: Carriers[];
let manual: Carriers[];
let account: Account;
beforeAll(async () => {
  const first = await startTestService(service, { runWorkers: true });
  running = [first, await startReplica(first, { runWorkers: true })];
  manual = [await startReplica(first), await startReplica(first)];
});
afterAll(async () => {
  for (const replica of [...manual, running[1]!, running[0]!]) await replica.stop();
});
beforeEach(() => (account = newAccount()));

const db = () => running[0]!.deps.db;

/** Every running replica routes the call so within a second. */
async function seen(expected: string, to?: string): Promise<void> {
  await eventually(async () => {
    for (const replica of running)
      expect(await reserved(replica, account, to === undefined ? {} : { to })).toBe(expected);
  }, 1_000);
}

/** A change with its row in the feed, in one transaction, as the API makes it. */
async function change(
  write: (transaction: Parameters<typeof insertCarrier>[0]) => Promise<unknown>,
  scope = account.auth_id,
) {
  await db().$transaction(async (transaction) => {
    await write(transaction);
    await changed(transaction, scope);
  });
}

test('a new carrier, a new route, a dropped route, a flip of status, of health and back, a deletion: seen by every replica within a second', async () => {
  const fallback = await insertCarrier(db(), account.auth_id, { priority: 1 });
  await seen(fallback);
  const carrier = await insertCarrier(db(), account.auth_id, { routes: [] });
  await change((db) => insertRoute(db, carrier, { prefix: '+44' }));
  await seen(carrier);
  await change((db) => db.carrierRoute.deleteMany({ where: { carrierId: carrier } }));
  await seen(fallback);
  await change((db) => insertRoute(db, carrier, { prefix: '+442' }));
  await seen(carrier);
  await change((db) => db.carrier.update({ where: { id: carrier }, data: { status: 'disabled' } }));
  await seen(fallback);
  await change((db) => db.carrier.update({ where: { id: carrier }, data: { status: 'active' } }));
  await seen(carrier);
  await change((db) =>
    db.carrierHealth.update({ where: { carrierId: carrier }, data: { status: 'unhealthy' } }),
  );
  await seen(fallback);
  await change((db) =>
    db.carrierHealth.update({ where: { carrierId: carrier }, data: { status: 'healthy' } }),
  );
  await seen(carrier);
  await change((db) => db.carrier.delete({ where: { id: carrier } }));
  await seen(fallback);
  await change((db) => db.carrier.delete({ where: { id: fallback } }));
  await seen(NONE);
});

test('changed priorities and weights are seen although no route has changed', async () => {
  const [a, b] = [
    await insertCarrier(db(), account.auth_id, { priority: 2 }),
    await insertCarrier(db(), account.auth_id),
  ];
  await seen(b);
  await change((db) => db.carrier.update({ where: { id: a }, data: { priority: 500 } }));
  await seen(a);
});

test('default carriers switched off for an account are seen within a second', async () => {
  const platform = await insertCarrier(db(), 'platform');
  await seen(platform);
  const data = { accountId: account.account_id, operatorEnabled: false };
  await change((db) => db.defaultCarrierSetting.create({ data }), `account:${account.account_id}`);
  await seen(NONE);
  await change((db) => db.defaultCarrierSetting.deleteMany({}), `account:${account.account_id}`);
  await seen(platform);
  await change((db) => db.carrier.delete({ where: { id: platform } }), 'platform');
  await seen(NONE);
});

test('a change whose transaction commits after later ones is not missed', async () => {
  const late = await insertCarrier(db(), account.auth_id, { routes: [] });
  const other = newAccount();
  await refresh(...manual);
  let commit!: () => void;
  const committed = db().$transaction(async (transaction) => {
    await insertRoute(transaction, late, { prefix: '+' });
    await changed(transaction, account.auth_id);
    await new Promise<void>((resolve) => (commit = resolve));
  });
  await eventually(() => expect(commit).toBeDefined());
  const early = await insertCarrier(db(), other.auth_id);
  await refresh(...manual);
  for (const replica of [...manual, ...running]) {
    await eventually(async () => expect(await reserved(replica, other)).toBe(early), 1_000);
    expect(await reserved(replica, account)).toBe(NONE);
  }
  await refresh(...manual);
  commit();
  await committed;
  await seen(late);
  for (const replica of manual) {
    // Only what is new: the early change is not worked in a second time.
    expect(await replica.pass('refresh-routing')).toBe(1);
    expect(await reserved(replica, account)).toBe(late);
    expect(await replica.pass('refresh-routing')).toBe(0);
  }
});

test('many writers at once: a replica that refreshes all the while ends up with everything', async () => {
  const accounts = Array.from({ length: 60 }, newAccount);
  let writing = true;
  const refreshing = (async () => {
    while (writing) await refresh(...manual);
  })();
  const ids = await Promise.all(
    accounts.map(async ({ auth_id }, n) => {
      await pause(n * 5);
      return db().$transaction(
        async (transaction) => {
          await changed(transaction, auth_id);
          await pause((n * 37) % 200);
          return insertCarrier(transaction, auth_id);
        },
        { maxWait: 20_000, timeout: 20_000 },
      );
    }),
  );
  writing = false;
  await refreshing;
  await refresh(...manual);
  for (const [n, each] of accounts.entries()) expect(await reserved(manual[n % 2]!, each)).toBe(ids[n]);
});

test('a flip of state keeps the routes as they are built; a change of routes builds them anew', async () => {
  const carrier = await insertCarrier(db(), account.auth_id);
  const [replica] = manual as [Carriers];
  await refresh(replica);
  const held = () => replica.deps.routing.routesOf(account.auth_id)!.index;
  const before = held();
  await change((db) =>
    db.carrierHealth.update({ where: { carrierId: carrier }, data: { status: 'unhealthy' } }),
  );
  await change((db) => db.carrier.update({ where: { id: carrier }, data: { maxChannels: 7 } }));
  await refresh(replica);
  expect(held()).toEqual(
    withCarrierState(before, [{ id: carrier, healthStatus: 'unhealthy', maxChannels: 7 }]),
  );
  expect(held().table).toBe(before.table);
  await change((db) => insertRoute(db, carrier, { prefix: '+1' }));
  await refresh(replica);
  expect(held().table).not.toBe(before.table);
});

test('a replica that could not follow for more than ten minutes, or whose database was restored, loads everything', async () => {
  const [replica] = manual as [Carriers];
  await refresh(replica);
  const { routing } = replica.deps;
  for (const broken of [
    { ...routing.position!, readAt: new Date(Date.now() - 601_000).toISOString() },
    { ...routing.position!, snapshot: '900000000:900000000:' },
  ]) {
    const carrier = await insertCarrier(db(), account.auth_id, { priority: 1_000 });
    await db().$executeRaw`truncate routing_changes`;
    expect(await replica.pass('refresh-routing')).toBe(0);
    routing.position = broken;
    await refresh(replica);
    expect(await reserved(replica, account)).toBe(carrier);
    expect(routing.position).not.toEqual(broken);
    await db().carrier.delete({ where: { id: carrier } });
  }
});

test('a refresh that fails is made up for by the next', async () => {
  const [replica] = manual as [Carriers];
  const carrier = await insertCarrier(db(), account.auth_id);
  await db().$executeRaw`alter table carrier_health rename to hidden`;
  await expect(replica.pass('refresh-routing')).rejects.toThrow();
  await db().$executeRaw`alter table hidden rename to carrier_health`;
  await refresh(replica);
  expect(await reserved(replica, account)).toBe(carrier);
});

test('a replica that starts later knows everything', async () => {
  const carrier = await insertCarrier(db(), account.auth_id, {
    routes: [
      { prefix: '+4420', rate: 0.5, priority: 7, rate_currency: 'EUR' },
      { prefix: '+44', rate: null },
    ],
  });
  const off = newAccount();
  await insertCarrier(db(), 'platform', { id: '00000000-0000-4000-8000-00000000000f' });
  await db().defaultCarrierSetting.create({ data: { accountId: off.account_id, accountEnabled: false } });
  const late = await startReplica(running[0]!);
  expect(await reserved(late, account)).toBe(carrier);
  expect(await reserved(late, off)).toBe(NONE);
  expect(await reserved(late, newAccount())).toBe('00000000-0000-4000-8000-00000000000f');
  await late.stop();
});

test('the feed keeps an hour', async () => {
  await changed(db(), account.auth_id);
  await db().$executeRaw`
    insert into routing_changes (scope, changed_at) select 'TJ00000000', now() - interval '61 minutes' from generate_series(1, 1200)`;
  const passes = [
    await manual[0]!.pass('prune-routing-changes'),
    await manual[1]!.pass('prune-routing-changes'),
  ];
  expect(passes).toEqual([1_000, 200]);
  expect(await db().routingChange.count({ where: { scope: account.auth_id } })).toBe(1);
});
