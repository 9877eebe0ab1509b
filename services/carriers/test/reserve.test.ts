import { randomUUID } from 'node:crypto';
import { startTestService } from '@trunkline/testing';
import { service } from '../src/service.js';
import {
  changed,
  insertCarrier,
  newAccount,
  refresh,
  release,
  reserve,
  reserved,
  TO,
  type Account,
  type Carriers,
} from './routing-fixtures.js';

let carriers: Carriers;
let account: Account;
beforeAll(async () => {
  carriers = await startTestService(service);
});
afterAll(() => carriers.stop());
beforeEach(() => (account = newAccount()));

const db = () => carriers.deps.db;
const NONE = 'NO_CARRIER_AVAILABLE';

/** How many of `count` reservations in a row each carrier got, its channels given back at once. */
async function tally(count: number): Promise<Record<string, number>> {
  const got: Record<string, number> = {};
  for (let i = 0; i < count; i++) {
    const { carrier, lease_id } = await reserve(carriers, account);
    got[carrier.id] = (got[carrier.id] ?? 0) + 1;
    await release(carriers, [lease_id]);
  }
  return got;
}

test('a reservation says how to reach the carrier, with its password, and until when the channel is held', async () => {
  const id = randomUUID();
  const password = carriers.deps.secrets.seal('s3cret', `carrier:${id}`);
  const routes = [{ prefix: '+4420', rate: 0.0125, rate_currency: 'EUR' }, { prefix: '+' }];
  await insertCarrier(db(), account.auth_id, { id, auth_password_sealed: password, routes });
  await refresh(carriers);
  const asked = Date.now();
  const answer = await reserve(carriers, account, { to: '0044 20 7946-0000' });
  const [route] = await db().carrierRoute.findMany({ where: { carrierId: id, prefix: '+4420' } });
  expect(answer).toEqual({
    lease_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    expires_at: expect.any(String),
    to_e164: TO,
    carrier: {
      id,
      sip_host: 'sip.example.net',
      sip_port: 5060,
      transport: 'udp',
      auth_username: 'trunk',
      auth_password: 's3cret',
      codec_preferences: ['PCMA', 'G722'],
      config: '{"a":1}',
    },
    route: { id: route?.id, prefix: '+4420', rate: 0.0125, rate_currency: 'EUR' },
  });
  const lease = await db().channelLease.findUniqueOrThrow({ where: { id: answer.lease_id } });
  expect(lease.expiresAt.toISOString()).toBe(answer.expires_at);
  expect(Math.abs(lease.expiresAt.getTime() - asked - 60_000)).toBeLessThan(2_000);
  expect(carriers.logged()).not.toContain('s3cret');
});

test.each(['4155550100', 'sip:alice@example.net', '+123', ' '])('%p is no telephone number', async (to) => {
  await expect(reserve(carriers, account, { to })).rejects.toMatchObject({
    code: 'VALIDATION_FAILED',
    extra: { details: [{ field: 'to' }] },
  });
});

test('without a matching route there is no carrier', async () => {
  await insertCarrier(db(), account.auth_id, { routes: [{ prefix: '+1' }] });
  await insertCarrier(db(), account.auth_id, { routes: [] });
  await refresh(carriers);
  await expect(reserve(carriers, account)).rejects.toMatchObject({ kind: 'bad_gateway', code: NONE });
});

test('disabled, unhealthy and inbound carriers are passed over, and nobody sees those of others', async () => {
  await insertCarrier(db(), account.auth_id, { priority: 500, status: 'disabled' });
  await insertCarrier(db(), account.auth_id, { priority: 400, health: 'unhealthy' });
  await insertCarrier(db(), account.auth_id, { priority: 300, carrier_type: 'inbound' });
  await insertCarrier(db(), newAccount().auth_id, { priority: 900 });
  const degraded = await insertCarrier(db(), account.auth_id, { priority: 200, health: 'degraded' });
  await refresh(carriers);
  expect(await reserved(carriers, account)).toBe(degraded);
});

test('weights 5, 3 and 2 get exactly 5, 3 and 2 of every ten calls', async () => {
  const weights = [5, 3, 2];
  const ids = [];
  for (const weight of weights) ids.push(await insertCarrier(db(), account.auth_id, { weight }));
  await refresh(carriers);
  for (let round = 0; round < 3; round++) {
    expect(await tally(10)).toEqual(Object.fromEntries(ids.map((id, i) => [id, weights[i]])));
  }
});

test('a burst of 100 calls at once spreads over the carriers exactly as one after the other', async () => {
  const weights = [5, 3, 2];
  const ids: string[] = [];
  for (const weight of weights)
    ids.push(await insertCarrier(db(), account.auth_id, { weight, max_channels: 100 }));
  await refresh(carriers);
  const taken = await Promise.all(Array.from({ length: 100 }, () => reserved(carriers, account)));
  expect(ids.map((id) => taken.filter((each) => each === id).length)).toEqual([50, 30, 20]);
});

test('equal weights: the cheapest takes every call, and equal rates take turns', async () => {
  const cheap = [];
  for (const rate of [0.01, 0.01, 0.02]) {
    cheap.push(await insertCarrier(db(), account.auth_id, { routes: [{ prefix: '+', rate }] }));
  }
  await refresh(carriers);
  expect(await tally(10)).toEqual({ [cheap[0]!]: 5, [cheap[1]!]: 5 });
});

test('a health flip keeps the turns', async () => {
  const [heavy, light] = [
    await insertCarrier(db(), account.auth_id, { weight: 3 }),
    await insertCarrier(db(), account.auth_id, { weight: 1 }),
  ];
  await refresh(carriers);
  const before = await tally(2);
  await db().carrierHealth.update({ where: { carrierId: light }, data: { status: 'degraded' } });
  await changed(db(), account.auth_id);
  await refresh(carriers);
  const after = await tally(2);
  expect((before[heavy] ?? 0) + (after[heavy] ?? 0)).toBe(3);
  expect((before[light] ?? 0) + (after[light] ?? 0)).toBe(1);
});

test('failover goes down the list without taking a turn', async () => {
  const [first, second] = [
    await insertCarrier(db(), account.auth_id, { weight: 2 }),
    await insertCarrier(db(), account.auth_id, { weight: 1 }),
  ];
  const last = await insertCarrier(db(), account.auth_id, { priority: 1 });
  await refresh(carriers);
  expect(await reserved(carriers, account)).toBe(first);
  for (let attempt = 0; attempt < 3; attempt++) {
    expect(await reserved(carriers, account, { exclude_carrier_ids: [first] })).toBe(second);
    expect(await reserved(carriers, account, { exclude_carrier_ids: [second] })).toBe(first);
    expect(await reserved(carriers, account, { exclude_carrier_ids: [first, second] })).toBe(last);
    expect(await reserved(carriers, account, { exclude_carrier_ids: [first, second, last] })).toBe(NONE);
  }
  expect([await reserved(carriers, account), await reserved(carriers, account)].sort()).toEqual(
    [first, second].sort(),
  );
});

test('a refusal takes no turn either', async () => {
  const [full, free] = [
    await insertCarrier(db(), account.auth_id, { weight: 2, max_channels: 1 }),
    await insertCarrier(db(), account.auth_id, { weight: 1, max_channels: 100 }),
  ];
  await refresh(carriers);
  const held = await reserve(carriers, account);
  expect(held.carrier.id).toBe(full);
  for (let i = 0; i < 5; i++) expect(await reserved(carriers, account)).toBe(free);
  await release(carriers, [held.lease_id]);
  expect(await reserved(carriers, account)).toBe(full);
});

test('a carrier disabled or deleted a moment ago, which this replica does not know yet, gets no call', async () => {
  const deleted = await insertCarrier(db(), account.auth_id, { priority: 500 });
  const disabled = await insertCarrier(db(), account.auth_id, { priority: 400 });
  const left = await insertCarrier(db(), account.auth_id);
  await refresh(carriers);
  await db().carrier.delete({ where: { id: deleted } });
  await db().carrier.update({ where: { id: disabled }, data: { status: 'disabled' } });
  expect(await reserved(carriers, account)).toBe(left);
});

test('default carriers are in the pool unless the operator or the account has switched them off', async () => {
  const platform = await insertCarrier(db(), 'platform', { priority: 1 });
  const own = await insertCarrier(db(), account.auth_id, { routes: [{ prefix: '+1' }] });
  await refresh(carriers);
  expect(await reserved(carriers, account)).toBe(platform);
  expect(await reserved(carriers, account, { to: '+14155550100' })).toBe(own);
  const accountId = account.account_id;
  const switches = [
    { operatorEnabled: true, accountEnabled: false },
    { operatorEnabled: false, accountEnabled: true },
  ];
  for (const off of switches) {
    await db().defaultCarrierSetting.upsert({
      where: { accountId },
      create: { accountId, ...off },
      update: off,
    });
    await changed(db(), `account:${accountId}`);
    await refresh(carriers);
    expect(await reserved(carriers, account)).toBe(NONE);
    expect(await reserved(carriers, newAccount())).toBe(platform);
  }
  await db().defaultCarrierSetting.delete({ where: { accountId } });
  await changed(db(), `account:${accountId}`);
  await refresh(carriers);
  expect(await reserved(carriers, account)).toBe(platform);
});
