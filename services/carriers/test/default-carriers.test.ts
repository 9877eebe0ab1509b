import { accountCaller, startTestService, type TestService } from '@trunkline/testing';
import type { Deps } from '../src/deps.js';
import { service } from '../src/service.js';

let carriers: TestService<Deps>;
beforeAll(async () => {
  carriers = await startTestService(service);
});
afterAll(() => carriers.stop());

const BASE = '/operator/v1/default-carriers';
const operator = () => carriers.as({ kind: 'operator' });
const input = { name: 'House', sip_host: 'sip.house.example', auth_password: 'planted-default-password' };
const create = async (body: object = input) => (await operator().post(BASE).send(body).expect(201)).body;
const changes = (scope: string) => carriers.deps.db.routingChange.count({ where: { scope } });

describe('a default carrier', () => {
  test('is created, read, changed and deleted as a carrier is, and every write is told to the routing', async () => {
    const before = await changes('platform');
    const made = await create();
    expect(made).toMatchObject({
      name: 'House',
      carrier_type: 'outbound',
      status: 'active',
      health_status: 'unknown',
    });
    expect(made).not.toHaveProperty('auth_password');
    await operator().get(`${BASE}/${made.id}`).expect(200, made);
    const changed = (await operator().put(`${BASE}/${made.id}`).send({ priority: 5 }).expect(200)).body;
    expect(changed).toEqual({ ...made, priority: 5 });
    await operator().delete(`${BASE}/${made.id}`).expect(204);
    await operator().get(`${BASE}/${made.id}`).expect(404);
    expect((await changes('platform')) - before).toBe(3);
  });

  test('has routes and a log of probes', async () => {
    const { id } = await create();
    const route = (await operator().post(`${BASE}/${id}/routes`).send({ prefix: '+' }).expect(201)).body;
    expect(route).toMatchObject({ carrier_id: id, prefix: '+', priority: 100, rate_currency: 'USD' });
    await operator().get(`${BASE}/${id}/routes`).expect(200, [route]);
    await operator().post(`${BASE}/${id}/routes`).send({ prefix: '+' }).expect(409);
    await operator().delete(`${BASE}/${id}/routes/${route.id}`).expect(204);
    await operator().get(`${BASE}/${id}/health`).expect(200, []);
  });

  test('has a code of its own among the default carriers', async () => {
    await create({ ...input, name: 'Own', code: 'own' });
    const { body } = await operator()
      .post(BASE)
      .send({ ...input, code: 'own' })
      .expect(409);
    expect(body.error.code).toBe('CODE_TAKEN');
    await carriers
      .as(accountCaller(1))
      .post('/v1/carriers')
      .send({ ...input, code: 'own' })
      .expect(201);
  });

  test('is listed newest first, in pages, without the carriers of accounts', async () => {
    const account = accountCaller(2);
    const own = (await carriers.as(account).post('/v1/carriers').send(input).expect(201)).body;
    const made = [await create(), await create(), await create()];
    const first = (await operator().get(`${BASE}?per_page=2`).expect(200)).body;
    expect(first.data).toEqual([made[2], made[1]]);
    expect(first.pagination).toMatchObject({ count: 2, per_page: 2, current_page: 1 });
    const all = (await operator().get(`${BASE}?per_page=100`).expect(200)).body;
    expect(all.pagination.total).toBe(all.data.length);
    expect(JSON.stringify(all)).not.toContain(own.id);
    await operator().get(`${BASE}?per_page=101`).expect(400);
  });

  test('is never shown to an account, nor is an account’s carrier a default one', async () => {
    const account = accountCaller(3);
    const { id } = await create();
    await carriers.as(account).get(`/v1/carriers/${id}`).expect(404);
    await carriers.as(account).get(`/v1/carriers/${id}/health`).expect(404);
    await carriers.as(account).put(`/v1/carriers/${id}`).send({ priority: 1 }).expect(404);
    expect((await carriers.as(account).get('/v1/carriers').expect(200)).body).toEqual([]);
    const own = (await carriers.as(account).post('/v1/carriers').send(input).expect(201)).body;
    await operator().get(`${BASE}/${own.id}`).expect(404);
    await operator().delete(`${BASE}/${own.id}`).expect(404);
    await operator().post(`${BASE}/${own.id}/routes`).send({ prefix: '+' }).expect(404);
  });

  test('is not reached by an account through the operator’s paths', async () => {
    await carriers.as(accountCaller(1)).get(BASE).expect(401);
    await carriers.as(accountCaller(1)).post(BASE).send(input).expect(401);
  });
});

describe('the default carriers of an account', () => {
  const account = accountCaller(10);
  const path = `/v1/account/${account.auth_id}/default-carriers`;
  const operatorPath = `/operator/v1/accounts/${account.account_id}/default-carriers`;

  test('are in its pool until the account or the operator takes them out; neither moves the switch of the other', async () => {
    const api = carriers.as(account);
    const scope = `account:${account.account_id.toLowerCase()}`;
    await api.get(path).expect(200, { enabled: true, operator_enabled: true });
    await operator().get(operatorPath).expect(200, { enabled: true, account_enabled: true });
    expect(await changes(scope)).toBe(0);
    await api.put(path).send({ enabled: false }).expect(200, { enabled: false, operator_enabled: true });
    await operator()
      .put(operatorPath)
      .send({ enabled: false })
      .expect(200, { enabled: false, account_enabled: false });
    await api.put('/v1/default-carriers').send({ enabled: true, operator_enabled: true }).expect(200);
    await api.get('/v1/default-carriers').expect(200, { enabled: true, operator_enabled: false });
    await operator().get(operatorPath).expect(200, { enabled: false, account_enabled: true });
    expect(await changes(scope)).toBe(3);
  });

  test('are switched for the account, whichever of its keys is used', async () => {
    const [one, other] = [accountCaller(11), accountCaller(12)];
    const sameAccount = { ...other, account_id: one.account_id };
    await carriers.as(one).put('/v1/default-carriers').send({ enabled: false }).expect(200);
    await carriers
      .as(sameAccount)
      .get('/v1/default-carriers')
      .expect(200, { enabled: false, operator_enabled: true });
    await carriers
      .as(other)
      .get('/v1/default-carriers')
      .expect(200, { enabled: true, operator_enabled: true });
  });

  test('take both switches when they are first set at the same moment', async () => {
    for (let n = 20; n < 30; n++) {
      const fresh = accountCaller(n);
      const answers = await Promise.all([
        carriers.as(fresh).put('/v1/default-carriers').send({ enabled: false }),
        operator().put(`/operator/v1/accounts/${fresh.account_id}/default-carriers`).send({ enabled: false }),
        carriers.as(fresh).put('/v1/default-carriers').send({ enabled: false }),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
      await carriers
        .as(fresh)
        .get('/v1/default-carriers')
        .expect(200, { enabled: false, operator_enabled: false });
    }
  });

  test.each([
    [{}, 'enabled'],
    [{ enabled: 'true' }, 'enabled'],
    [{ enabled: null }, 'enabled'],
    [{ enabled: 1 }, 'enabled'],
    [{ enabled: true, x: 1 }, 'x'],
  ])('are not switched by %j', async (body, field) => {
    for (const answer of [
      await carriers.as(account).put(path).send(body),
      await operator().put(operatorPath).send(body),
    ]) {
      expect(answer.status).toBe(400);
      expect(answer.body.error).toMatchObject({ code: 'VALIDATION_FAILED', details: [{ field }] });
    }
  });

  test.each(['x', '%00', `(${account.account_id})`])('of the account %p are 404', async (id) => {
    await operator().get(`/operator/v1/accounts/${id}/default-carriers`).expect(404);
    await operator().put(`/operator/v1/accounts/${id}/default-carriers`).send({ enabled: true }).expect(404);
  });
});
