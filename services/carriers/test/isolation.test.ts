import { accountCaller, startTestService, type TestService } from '@trunkline/testing';
import type { Deps } from '../src/deps.js';
import { service } from '../src/service.js';

let carriers: TestService<Deps>;
beforeAll(async () => {
  carriers = await startTestService(service);
});
afterAll(() => carriers.stop());

const [owner, stranger] = [accountCaller(1), accountCaller(2)];
const operator = { kind: 'operator' } as const;
const input = { name: 'Acme', sip_host: 'sip.acme.example' };

/** A carrier with a route, as the values of path parameters. */
type Ids = Record<'id' | 'carrier_id' | 'route_id', string>;

async function newCarrier(as: typeof owner | typeof operator, base: string): Promise<Ids> {
  const { id } = (await carriers.as(as).post(base).send(input).expect(201)).body;
  const route = (await carriers.as(as).post(`${base}/${id}/routes`).send({ prefix: '+1' }).expect(201)).body;
  return { id, carrier_id: id, route_id: route.id };
}

function fill(path: string, ids: Ids, authId: string): string {
  return path.replace(/:(\w+)/g, (_, name: string) => {
    const value = name === 'auth_id' ? authId : ids[name as keyof Ids];
    if (value === undefined) throw new Error(`This test does not know what to put into :${name}.`);
    return value;
  });
}

const forAccounts = service.routes.filter(({ audience }) => audience === 'account');
const onRecords = forAccounts.filter(({ path }) => /:(?!auth_id)/.test(path));
const cases = (routes: typeof service.routes) =>
  routes.map((route) => [route.method, route.path, route.bodyExample as object | undefined] as const);
const ask = (as: typeof owner, method: (typeof forAccounts)[number]['method'], path: string, body?: object) =>
  carriers.as(as)[method](path).send(body);

describe('the carriers of one account and another account', () => {
  let ofOwner: Ids;
  let ofPlatform: Ids;
  let before: unknown;
  const everything = async () => [
    await carriers.deps.db.carrier.findMany({ orderBy: { id: 'asc' } }),
    await carriers.deps.db.carrierRoute.findMany({ orderBy: { id: 'asc' } }),
  ];
  beforeAll(async () => {
    ofOwner = await newCarrier(owner, '/v1/carriers');
    ofPlatform = await newCarrier(operator, '/operator/v1/default-carriers');
    before = await everything();
  });
  afterEach(async () => expect(await everything()).toEqual(before));

  test.each(cases(onRecords))('%s %s is 404', async (method, path, body) => {
    for (const ids of [ofOwner, ofPlatform]) {
      const answer = await ask(stranger, method, fill(path, ids, stranger.auth_id), body);
      expect([answer.status, answer.body.error?.code]).toEqual([404, 'NOT_FOUND']);
    }
  });

  test.each(cases(forAccounts.filter(({ path }) => path.includes(':auth_id'))))(
    '%s %s with the Auth ID of the other is 403',
    async (method, path, body) => {
      for (const authId of [owner.auth_id, 'nobody', 'platform', '%00']) {
        const answer = await ask(stranger, method, fill(path, ofOwner, authId), body);
        expect([answer.status, answer.body.error?.code]).toEqual([403, 'FORBIDDEN']);
      }
    },
  );

  test.each(cases(service.routes.filter(({ path }) => /^\/operator\/v1\/default-carriers.*:/.test(path))))(
    '%s %s for the operator finds no carrier of an account',
    async (method, path, body) => {
      const answer = await carriers
        .as(operator)
        [method](fill(path, ofOwner, ''))
        .send(body);
      expect([answer.status, answer.body.error?.code]).toEqual([404, 'NOT_FOUND']);
    },
  );

  test.each(cases(service.routes.filter(({ audience }) => audience === 'operator')))(
    '%s %s is closed to accounts',
    async (method, path, body) => {
      const answer = await ask(stranger, method, fill(path, ofPlatform, ''), body);
      expect([answer.status, answer.body.error?.code]).toEqual([401, 'INVALID_CREDENTIALS']);
    },
  );

  test.each(cases(forAccounts))(
    '%s %s is closed to the operator and to the unauthenticated',
    async (method, path, body) => {
      const url = fill(path, ofOwner, owner.auth_id);
      expect((await carriers.as(operator)[method](url).send(body)).status).toBe(401);
      const direct = await fetch(`${carriers.url}${url}`, { method: method.toUpperCase() });
      expect(direct.status).toBe(401);
    },
  );

  test('neither list shows a carrier of the other', async () => {
    const list = async (as: typeof owner) => (await carriers.as(as).get('/v1/carriers').expect(200)).body;
    expect((await list(owner)).map(({ id }: Ids) => id)).toEqual([ofOwner.id]);
    expect(await list(stranger)).toEqual([]);
  });

  test('a second key of the same account does not see them either: they belong to the Auth ID', async () => {
    const secondKey = { ...stranger, account_id: owner.account_id, tenant_id: owner.tenant_id };
    await carriers.as(secondKey).get(`/v1/carriers/${ofOwner.id}`).expect(404);
  });
});

test('a route is reached only through its own carrier, within one account too', async () => {
  const [first, second] = [await newCarrier(owner, '/v1/carriers'), await newCarrier(owner, '/v1/carriers')];
  for (const { method, path } of onRecords.filter((route) => route.path.includes(':route_id'))) {
    const crossed = fill(path, { ...first, route_id: second.route_id }, owner.auth_id);
    expect((await ask(owner, method, crossed)).status).toBe(404);
  }
  expect(await carriers.deps.db.carrierRoute.count({ where: { id: second.route_id } })).toBe(1);
});
