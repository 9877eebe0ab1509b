import { accountsContract } from '@trunkline/contracts';
import { createRpc } from '@trunkline/rpc';
import { startTestService } from '@trunkline/testing';
import { service } from '../src/service.js';
import {
  activeOf,
  changed,
  insertCarrier,
  newAccount,
  refresh,
  reserve,
  reserved,
  TO,
  type Account,
  type Carriers,
} from './routing-fixtures.js';

let carriers: Carriers;
let account: Account;
const known: Account[] = [];
beforeAll(async () => {
  carriers = await startTestService(service);
  createRpc(carriers.transport, { service: 'accounts' }).serve(
    accountsContract.findKeys,
    async ({ auth_ids }) => ({
      keys: known
        .filter(({ auth_id }) => auth_ids.includes(auth_id))
        .map((each) => ({
          ...each,
          token_digest: 'ab'.repeat(32),
          tenant_id: 'TJ00000000',
          account_status: 'active' as const,
          billing_mode: 'postpaid' as const,
        })),
    }),
  );
});
afterAll(() => carriers.stop());
beforeEach(() => known.push((account = { ...newAccount(), currency: 'EUR' })));
afterEach(async () => {
  await db().carrier.deleteMany();
  await changed(db(), 'platform');
  await refresh(carriers);
});

const db = () => carriers.deps.db;
const ask = (body: object) =>
  carriers.as({ kind: 'operator' }).post('/operator/v1/routing/preview').send(body);
const preview = async () => (await ask({ auth_id: account.auth_id, to: TO }).expect(200)).body;

test('the preview lists every matching route with the decision and its reason', async () => {
  const euro = { rate: 0.5, rate_currency: 'EUR' };
  const id = {
    full: await insertCarrier(db(), account.auth_id, {
      code: 'full',
      max_channels: 1,
      priority: 300,
      routes: [{ prefix: '+44' }],
    }),
    cheap: await insertCarrier(db(), account.auth_id, {
      code: 'cheap',
      routes: [{ prefix: '+44', ...euro }],
    }),
    dear: await insertCarrier(db(), account.auth_id, {
      code: 'dear',
      routes: [{ prefix: '+44', rate: 0.1 }],
    }),
    sick: await insertCarrier(db(), account.auth_id, {
      code: 'sick',
      health: 'unhealthy',
      routes: [{ prefix: '+44' }],
    }),
    platform: await insertCarrier(db(), 'platform', { code: 'default' }),
  };
  await refresh(carriers);
  await reserve(carriers, account);
  const answer = await preview();
  expect(answer.to_e164).toBe(TO);
  expect(answer.selected).toEqual(answer.candidates[1]);
  expect(answer.candidates[1]).toEqual({
    carrier_id: id.cheap,
    carrier_name: 'Carrier cheap',
    carrier_code: 'cheap',
    owner: 'account',
    route_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    prefix: '+44',
    priority: 100,
    route_priority: 100,
    weight: 1,
    rate: 0.5,
    rate_currency: 'EUR',
    health_status: 'unknown',
    active_channels: 0,
    max_channels: 100,
    decision: 'selected',
    reason: 'least_cost',
  });
  type Candidate = Record<'carrier_id' | 'decision' | 'reason' | 'owner' | 'active_channels', unknown>;
  const short = ({ carrier_id, decision, reason, owner, active_channels }: Candidate) => [
    carrier_id,
    decision,
    reason,
    owner,
    active_channels,
  ];
  expect(answer.candidates.map(short)).toEqual([
    [id.full, 'skipped', 'full', 'account', 1],
    [id.cheap, 'selected', 'least_cost', 'account', 0],
    [id.dear, 'failover', 'higher_rate', 'account', 0],
    [id.sick, 'skipped', 'unhealthy', 'account', 0],
    [id.platform, 'failover', 'shorter_prefix', 'platform', 0],
  ]);
  expect(JSON.stringify(answer)).not.toMatch(/password|sip[.]example/);
});

test('it says what the next reservation does, moves no turn and takes no channel', async () => {
  const ids: string[] = [];
  for (const weight of [3, 2, 1]) ids.push(await insertCarrier(db(), account.auth_id, { weight }));
  await refresh(carriers);
  const leases = () => db().channelLease.count();
  const taken: string[] = [];
  for (let call = 0; call < 12; call++) {
    const before = await leases();
    const said = (await preview()).selected.carrier_id;
    expect((await preview()).selected.carrier_id).toBe(said);
    expect(await leases()).toBe(before);
    taken.push(await reserved(carriers, account));
    expect(taken.at(-1)).toBe(said);
  }
  expect(ids.map((id) => taken.filter((each) => each === id).length)).toEqual([6, 4, 2]);
  expect(await Promise.all(ids.map((id) => activeOf(db(), id)))).toEqual([6, 4, 2]);
});

test('without a carrier that can take the call, none is selected', async () => {
  expect(await preview()).toEqual({ to_e164: TO, selected: null, candidates: [] });
  await insertCarrier(db(), account.auth_id, { status: 'disabled' });
  await refresh(carriers);
  expect(await preview()).toMatchObject({
    selected: null,
    candidates: [{ decision: 'skipped', reason: 'carrier_disabled' }],
  });
});

test('an unknown key is 404, bad input is refused by name, and accounts may not ask', async () => {
  const unknown = await ask({ auth_id: 'TJFFFFFFFF', to: TO }).expect(404);
  expect(unknown.body.error.code).toBe('NOT_FOUND');
  for (const [body, field] of [
    [{ auth_id: account.auth_id, to: '12345' }, 'to'],
    [{ auth_id: account.auth_id }, 'to'],
    [{ to: TO }, 'auth_id'],
    [{ auth_id: 7, to: TO }, 'auth_id'],
    [{ auth_id: account.auth_id, to: TO, colour: 'red' }, 'colour'],
  ] as const) {
    const { body: answer } = await ask(body).expect(400);
    expect(answer.error).toMatchObject({ code: 'VALIDATION_FAILED', details: [{ field }] });
  }
  const caller = { ...account, kind: 'account', tenant_id: 'TJ00000000', billing_mode: 'postpaid' } as const;
  await carriers
    .as(caller)
    .post('/operator/v1/routing/preview')
    .send({ auth_id: account.auth_id, to: TO })
    .expect(401);
});
