import { OPERATOR_TOKEN, startGateway, type GatewayUnderTest } from './gateway-harness.js';

let gateway: GatewayUnderTest;
beforeAll(async () => {
  gateway = await startGateway();
  gateway.addKey('TJ0000000A');
  gateway.addKey('TJ0000000B');
});
afterAll(() => gateway.stop());
afterEach(() => {
  delete gateway.backend.onCreate;
});

let n = 0;
const freshKey = () => `key-${++n}`;
const create = (key: string, name = 'x', authId = 'TJ0000000A', path = '/v1/things') =>
  gateway.get(authId, path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': key },
    body: JSON.stringify({ name }),
  });
const error = async (response: Response) =>
  ((await response.json()) as { error: { code: string; details?: { field: string }[] } }).error;

test('a repeat gets the first answer again, to the letter, and nothing is done twice', async () => {
  const key = freshKey();
  const before = gateway.backend.created;
  const first = await create(key);
  const again = await create(key);
  expect([first.status, again.status]).toEqual([201, 201]);
  expect(await again.text()).toBe(await first.text());
  expect(first.headers.get('idempotent-replayed')).toBeNull();
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  expect(again.headers.get('content-type')).toBe(first.headers.get('content-type'));
  expect(gateway.backend.created).toBe(before + 1);
});

test('the same key with another body or path is 422, for another Auth ID it is another key', async () => {
  const key = freshKey();
  await create(key, 'x');
  expect(await error(await create(key, 'y'))).toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
  expect(await error(await create(key, 'x', 'TJ0000000A', '/v1/things?a=1'))).toMatchObject({
    code: 'IDEMPOTENCY_KEY_REUSED',
  });
  expect((await create(key, 'y', 'TJ0000000B')).status).toBe(201);
});

test('of 30 concurrent requests with one key exactly one is done; the others wait for it or replay it', async () => {
  const key = freshKey();
  const before = gateway.backend.created;
  gateway.backend.onCreate = () => new Promise((resolve) => setTimeout(resolve, 50));
  const answers = await Promise.all(Array.from({ length: 30 }, () => create(key)));
  expect(gateway.backend.created).toBe(before + 1);
  const inProgress = answers.filter(({ status }) => status === 409);
  expect(answers.filter(({ status }) => status === 201).length + inProgress.length).toBe(30);
  expect(inProgress.length).toBeGreaterThan(0);
  expect(inProgress[0]?.headers.get('retry-after')).toBe('1');
  expect(await error(inProgress[0] as Response)).toMatchObject({ code: 'IDEMPOTENCY_IN_PROGRESS' });
  expect((await create(key)).headers.get('idempotent-replayed')).toBe('true');
});

test('a refusal is kept too, a fault of ours is not', async () => {
  const refused = freshKey();
  expect((await create(refused, '')).status).toBe(400);
  expect((await create(refused, '')).headers.get('idempotent-replayed')).toBe('true');

  const broken = freshKey();
  gateway.backend.onCreate = async () => {
    throw new Error('broken');
  };
  expect((await create(broken)).status).toBe(500);
  delete gateway.backend.onCreate;
  const second = await create(broken);
  expect(second.status).toBe(201);
  expect(second.headers.get('idempotent-replayed')).toBeNull();
});

test('a request whose gateway died is taken over after its lock, by the same body only', async () => {
  const key = freshKey();
  await create(key);
  await gateway.deps.db.idempotencyKey.updateMany({
    where: { key },
    data: { responseStatus: null, lockedUntil: new Date(Date.now() + 60_000) },
  });
  expect((await create(key)).status).toBe(409);
  await gateway.deps.db.idempotencyKey.updateMany({
    where: { key },
    data: { lockedUntil: new Date(Date.now() - 1_000) },
  });
  expect((await create(key, 'other')).status).toBe(422);
  const before = gateway.backend.created;
  const both = await Promise.all([create(key), create(key)]);
  expect(gateway.backend.created).toBe(before + 1);
  expect(both.map(({ status }) => status)).toContain(201);
});

test('after 24 hours the key is new again, and the worker forgets it', async () => {
  const key = freshKey();
  await create(key);
  const age = () =>
    gateway.deps.db.idempotencyKey.updateMany({
      where: { key },
      data: { expiresAt: new Date(Date.now() - 1_000) },
    });
  await age();
  expect((await create(key, 'another body')).status).toBe(201);
  await age();
  await gateway.pass('expire-idempotency-keys');
  expect(await gateway.deps.db.idempotencyKey.count({ where: { key } })).toBe(0);
});

test.each(['', 'x'.repeat(256), 'tab\there'])('the key %p is refused by name', async (key) => {
  expect(await error(await create(key))).toMatchObject({
    code: 'VALIDATION_FAILED',
    details: [{ field: 'Idempotency-Key' }],
  });
});

test('a key of 255 characters is taken', async () => {
  expect((await create('k'.repeat(255))).status).toBe(201);
});

test('operator answers are kept sealed: what is shown once is not readable in the table', async () => {
  const key = freshKey();
  const ask = () =>
    fetch(`${gateway.operatorUrl}/operator/v1/things`, {
      method: 'POST',
      headers: { authorization: `Bearer ${OPERATOR_TOKEN}`, 'idempotency-key': key },
    });
  const first = await (await ask()).text();
  expect(first).toContain('shown once');
  expect(await (await ask()).text()).toBe(first);
  const rows = await gateway.deps.db.idempotencyKey.findMany({ where: { key } });
  expect(JSON.stringify(rows)).not.toContain('shown once');
});
