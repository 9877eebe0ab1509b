import { accountsContract } from '@trunkline/contracts';
import { digestOf } from '@trunkline/secrets';
import { accountCaller, startTestService, type TestService } from '@trunkline/testing';
import type { Deps } from '../src/deps.js';
import { service } from '../src/service.js';

let accounts: TestService<Deps>;
beforeAll(async () => {
  accounts = await startTestService(service);
});
afterAll(() => accounts.stop());

const operator = () => accounts.as({ kind: 'operator' });
const input = {
  name: 'Acme',
  email: 'ops@acme.example',
  billing_mode: 'postpaid',
  currency: 'EUR',
  base_limit: 25,
};
const createAccount = async (body: object = input) =>
  (await operator().post('/operator/v1/accounts').send(body).expect(201)).body;
const createKey = async (id: string) =>
  (await operator().post(`/operator/v1/accounts/${id}/keys`).expect(201)).body;
const findKey = async (authId: string) =>
  (await accounts.rpc.call(accountsContract.findKeys, { auth_ids: [authId] })).keys[0];

describe('accounts', () => {
  test('an account is created with its own tenant and answered in full', async () => {
    expect(await createAccount()).toEqual({
      ...input,
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      tenant_id: expect.stringMatching(/^TJ[0-9A-F]{8}$/),
      status: 'active',
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
  });

  test('what is left out gets its default: prepaid, USD, 10 concurrent calls', async () => {
    expect(await createAccount({ name: 'Acme', email: 'a@b.example' })).toMatchObject({
      billing_mode: 'prepaid',
      currency: 'USD',
      base_limit: 10,
    });
  });

  test('the list is newest first and its pages add up', async () => {
    const made = [await createAccount(), await createAccount(), await createAccount()];
    const first = (await operator().get('/operator/v1/accounts?per_page=2').expect(200)).body;
    expect(first.data.map((each: { id: string }) => each.id)).toEqual([made[2].id, made[1].id]);
    expect(first.pagination).toMatchObject({
      count: 2,
      per_page: 2,
      current_page: 1,
      total_pages: Math.ceil(first.pagination.total / 2),
    });
  });

  test('only the keys present are changed, and what was read can be put back', async () => {
    const account = await createAccount();
    const changed = (
      await operator().patch(`/operator/v1/accounts/${account.id}`).send({ name: 'New' }).expect(200)
    ).body;
    expect(changed).toEqual({ ...account, name: 'New' });
    await operator().patch(`/operator/v1/accounts/${account.id}`).send(changed).expect(200, changed);
  });

  test.each([
    'not-a-uuid',
    '00000000-0000-4000-8000-000000000000',
    '(00000000-0000-4000-8000-000000000000)',
    '%00',
    '..',
  ])('the id %p is no account', async (id) => {
    await operator().get(`/operator/v1/accounts/${id}`).expect(404);
  });
});

test('other services learn whom to write to about a tenant', async () => {
  const { tenant_id } = await createAccount();
  const ask = (tenant: string) => accounts.rpc.call(accountsContract.findContact, { tenant_id: tenant });
  expect(await ask(tenant_id)).toEqual({ name: input.name, email: input.email });
  await expect(ask('TJ00000000')).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

describe('keys', () => {
  test('the token is shown once and only its digest is kept', async () => {
    const account = await createAccount();
    const key = await createKey(account.id);
    expect(key).toEqual({
      auth_id: expect.stringMatching(/^TJ[0-9A-F]{8}$/),
      auth_token: expect.stringMatching(/^[0-9a-f]{32}$/),
      account_id: account.id,
      created_at: expect.any(String),
    });
    const list = await operator().get(`/operator/v1/accounts/${account.id}/keys`).expect(200);
    expect(list.body.data).toEqual([
      { auth_id: key.auth_id, account_id: account.id, created_at: key.created_at },
    ]);
    expect(await findKey(key.auth_id)).toEqual({
      auth_id: key.auth_id,
      token_digest: digestOf(key.auth_token).toString('hex'),
      account_id: account.id,
      tenant_id: account.tenant_id,
      account_status: 'active',
      currency: 'EUR',
      billing_mode: 'postpaid',
    });
    expect(accounts.logged()).not.toContain(key.auth_token);
  });

  test('a rotated key has another token under the same Auth ID', async () => {
    const { id } = await createAccount();
    const key = await createKey(id);
    const rotated = (await operator().post(`/operator/v1/keys/${key.auth_id}/rotate`).expect(200)).body;
    expect(rotated.auth_id).toBe(key.auth_id);
    expect(rotated.auth_token).not.toBe(key.auth_token);
    expect((await findKey(key.auth_id))?.token_digest).toBe(digestOf(rotated.auth_token).toString('hex'));
  });

  test('a revoked key is found no more, cannot be revoked or rotated again, and leaves the others alone', async () => {
    const { id } = await createAccount();
    const [first, second] = [await createKey(id), await createKey(id)];
    await operator().delete(`/operator/v1/keys/${first.auth_id}`).expect(204);
    expect(await findKey(first.auth_id)).toBeUndefined();
    expect(await findKey(second.auth_id)).toBeDefined();
    await operator().delete(`/operator/v1/keys/${first.auth_id}`).expect(404);
    await operator().post(`/operator/v1/keys/${first.auth_id}/rotate`).expect(404);
  });

  test('of 20 concurrent revocations of one key one succeeds', async () => {
    const key = await createKey((await createAccount()).id);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => operator().delete(`/operator/v1/keys/${key.auth_id}`)),
    );
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(1);
  });

  test('suspension, rotation and revocation are told to the gateways at once', async () => {
    const told: string[][] = [];
    accounts.rpc.listen(accountsContract.keysChanged, ({ auth_ids }) => told.push(auth_ids));
    const { id } = await createAccount();
    const { auth_id } = await createKey(id);
    await operator().patch(`/operator/v1/accounts/${id}`).send({ status: 'suspended' }).expect(200);
    expect((await findKey(auth_id))?.account_status).toBe('suspended');
    await operator().post(`/operator/v1/keys/${auth_id}/rotate`).expect(200);
    await operator().delete(`/operator/v1/keys/${auth_id}`).expect(204);
    await new Promise((resolve) => setImmediate(resolve));
    expect(told).toEqual([[auth_id], [auth_id], [auth_id]]);
  });

  test('a key of an account that does not exist is 404', async () => {
    await operator().post('/operator/v1/accounts/00000000-0000-4000-8000-000000000000/keys').expect(404);
    await operator().get('/operator/v1/accounts/00000000-0000-4000-8000-000000000000/keys').expect(404);
  });
});

describe('bad input', () => {
  const cases: [string, unknown, string][] = [
    ['no name', { email: 'a@b.example' }, 'name'],
    ['an empty name', { ...input, name: '' }, 'name'],
    ['a name of 201 characters', { ...input, name: 'x'.repeat(201) }, 'name'],
    ['a name that is a number', { ...input, name: 7 }, 'name'],
    ['a name with U+0000', { ...input, name: 'a\u0000b' }, 'name'],
    ['a name with half a surrogate pair', { ...input, name: 'a\ud800' }, 'name'],
    ['no email', { name: 'x' }, 'email'],
    ['an email without @', { ...input, email: 'nobody' }, 'email'],
    ['a billing mode nobody knows', { ...input, billing_mode: 'barter' }, 'billing_mode'],
    ['a currency in lower case', { ...input, currency: 'usd' }, 'currency'],
    ['a negative base limit', { ...input, base_limit: -1 }, 'base_limit'],
    ['a base limit in quotes', { ...input, base_limit: '10' }, 'base_limit'],
    ['a fraction of a call', { ...input, base_limit: 1.5 }, 'base_limit'],
    ['a key nobody knows', { ...input, wallet: 5 }, 'wallet'],
    [
      'an own __proto__',
      JSON.parse('{"name":"x","email":"a@b.example","__proto__":{"status":"active"}}'),
      '__proto__',
    ],
    ['an array', [input], 'body'],
    ['null', null, 'body'],
  ];
  test.each(cases)('%s is refused by name', async (_what, body, field) => {
    const { status, body: answer } = await operator()
      .post('/operator/v1/accounts')
      .set('content-type', 'application/json')
      .send(JSON.stringify(body));
    expect(status).toBe(400);
    expect(answer.error).toMatchObject({ code: 'VALIDATION_FAILED', details: [{ field }] });
  });

  test.each(['page=0', 'page=x', 'per_page=101', 'per_page=0', 'per_page=1.5', 'colour=red'])(
    'the query %p is refused',
    async (query) => {
      const { status, body } = await operator().get(`/operator/v1/accounts?${query}`);
      expect(status).toBe(400);
      expect(body.error.details[0].field).toBe(query.split('=')[0]);
    },
  );

  test('nesting without end and keys without number are refused in a short answer', async () => {
    const deep = `{"name":${'['.repeat(200_000)}${']'.repeat(200_000)}}`;
    const wide = JSON.stringify(Object.fromEntries(Array.from({ length: 50_000 }, (_, i) => [`key${i}`, 1])));
    for (const body of [deep, wide]) {
      const { status, text } = await operator()
        .post('/operator/v1/accounts')
        .set('content-type', 'application/json')
        .send(body);
      expect(status).toBe(400);
      expect(text.length).toBeLessThan(5_000);
    }
  });

  test('a change without a body is refused instead of changing nothing', async () => {
    const { id } = await createAccount();
    const { status, body } = await operator().patch(`/operator/v1/accounts/${id}`).set('content-length', '0');
    expect(status).toBe(400);
    expect(body.error.details).toEqual([{ field: 'body', message: 'body is required: send a JSON object' }]);
  });

  test('broken JSON is refused, another content type is 415', async () => {
    await operator()
      .post('/operator/v1/accounts')
      .set('content-type', 'application/json')
      .send('{"name":')
      .expect(400);
    await operator().post('/operator/v1/accounts').set('content-type', 'text/plain').send('x').expect(415);
  });
});

describe('who may call', () => {
  test('an account caller and a request that did not come through the gateway are refused', async () => {
    await accounts.as(accountCaller(1)).get('/operator/v1/accounts').expect(401);
    const direct = await fetch(`${accounts.url}/operator/v1/accounts`);
    expect(direct.status).toBe(401);
    const forged = await fetch(`${accounts.url}/operator/v1/accounts`, {
      headers: { 'x-trunkline-caller': 'eyJhbGciOiJub25lIn0.e30.' },
    });
    expect(forged.status).toBe(401);
  });
});
