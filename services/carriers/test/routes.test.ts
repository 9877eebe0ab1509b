import { randomUUID } from 'node:crypto';
import { accountCaller, startTestService, type TestService } from '@trunkline/testing';
import type { Deps } from '../src/deps.js';
import { service } from '../src/service.js';

let carriers: TestService<Deps>;
beforeAll(async () => {
  carriers = await startTestService(service);
});
afterAll(() => carriers.stop());

const caller = accountCaller(1);
const base = `/v1/account/${caller.auth_id}/carriers`;
const api = () => carriers.as(caller);
const newCarrier = async (): Promise<string> =>
  (await api().post(base).send({ name: 'Acme', sip_host: 'sip.acme.example' }).expect(201)).body.id;
const addRoute = async (carrier: string, body: object) =>
  (await api().post(`${base}/${carrier}/routes`).send(body).expect(201)).body;
const routesOf = async (carrier: string) => (await api().get(`${base}/${carrier}/routes`).expect(200)).body;

describe('a route', () => {
  test('is answered with exactly the fields of the specification, and what is left out has its default', async () => {
    const carrier = await newCarrier();
    const route = await addRoute(carrier, { prefix: '+49' });
    expect(route).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      carrier_id: carrier,
      prefix: '+49',
      priority: 100,
      rate: null,
      rate_currency: 'USD',
      status: 'active',
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
    expect(await routesOf(carrier)).toEqual([route]);
  });

  test.each([0, 0.000001, 0.1, 0.012345, 1_000_000, 999_999.999999])(
    'keeps the rate %d to the last digit',
    async (rate) => {
      const carrier = await newCarrier();
      const route = await addRoute(carrier, { prefix: '+', priority: 0, rate, rate_currency: 'EUR' });
      expect(route).toMatchObject({ prefix: '+', priority: 0, rate, rate_currency: 'EUR' });
      expect((await routesOf(carrier))[0].rate).toBe(rate);
    },
  );

  test('of one prefix exists once a carrier', async () => {
    const [first, second] = [await newCarrier(), await newCarrier()];
    await addRoute(first, { prefix: '+49' });
    await addRoute(first, { prefix: '+4' });
    await addRoute(second, { prefix: '+49' });
    const { body } = await api()
      .post(`${base}/${first}/routes`)
      .send({ prefix: '+49', priority: 1 })
      .expect(409);
    expect(body.error.code).toBe('ROUTE_EXISTS');
    expect(await routesOf(first)).toHaveLength(2);
  });

  test('of one prefix is created by one of 20 concurrent requests', async () => {
    const carrier = await newCarrier();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => api().post(`${base}/${carrier}/routes`).send({ prefix: '+1' })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([
      201,
      ...Array.from({ length: 19 }, () => 409),
    ]);
    expect(await routesOf(carrier)).toHaveLength(1);
  });

  test('is listed newest first', async () => {
    const carrier = await newCarrier();
    const made = [await addRoute(carrier, { prefix: '+1' }), await addRoute(carrier, { prefix: '+2' })];
    expect(await routesOf(carrier)).toEqual(made.reverse());
  });

  test('is deleted once, and only through its own carrier', async () => {
    const [carrier, other] = [await newCarrier(), await newCarrier()];
    const { id } = await addRoute(carrier, { prefix: '+1' });
    await api().delete(`${base}/${other}/routes/${id}`).expect(404);
    await api().delete(`${base}/${carrier}/routes/${id}`).expect(204);
    await api().delete(`${base}/${carrier}/routes/${id}`).expect(404);
    await addRoute(carrier, { prefix: '+1' });
  });

  test('may be put under another carrier as it was read', async () => {
    const [carrier, other] = [await newCarrier(), await newCarrier()];
    const route = await addRoute(carrier, { prefix: '+1', rate: 0.5 });
    expect(await addRoute(other, route)).toMatchObject({ carrier_id: other, prefix: '+1', rate: 0.5 });
  });

  test('is reached without the Auth ID in the path too', async () => {
    const carrier = await newCarrier();
    const { body } = await api().post(`/v1/carriers/${carrier}/routes`).send({ prefix: '+7' }).expect(201);
    await api().get(`/v1/carriers/${carrier}/routes`).expect(200, [body]);
    await api().delete(`/v1/carriers/${carrier}/routes/${body.id}`).expect(204);
  });
});

describe('the log of health probes', () => {
  const probe = (carrierId: string, second: number) => ({
    id: randomUUID(),
    carrierId,
    status: 'healthy',
    responseTimeMs: second,
    createdAt: new Date(Date.UTC(2026, 0, 1, 0, 0, second)),
  });

  test('shows the time of a success and the reason of a failure, the latest first', async () => {
    const carrier = await newCarrier();
    await carriers.deps.db.healthProbe.createMany({
      data: [
        probe(carrier, 1),
        { ...probe(carrier, 2), status: 'unhealthy', responseTimeMs: null, errorMessage: 'timeout' },
        probe(await newCarrier(), 3),
      ],
    });
    const { body } = await api().get(`${base}/${carrier}/health`).expect(200);
    const seen = { id: expect.any(String), carrier_id: carrier };
    expect(body).toEqual([
      { ...seen, status: 'unhealthy', error_message: 'timeout', created_at: '2026-01-01T00:00:02.000Z' },
      { ...seen, status: 'healthy', response_time_ms: 1, created_at: '2026-01-01T00:00:01.000Z' },
    ]);
  });

  test('ends after 100 entries, or as many as are asked for', async () => {
    const carrier = await newCarrier();
    await carriers.deps.db.healthProbe.createMany({
      data: Array.from({ length: 150 }, (_, n) => probe(carrier, n)),
    });
    const times = async (query: string) =>
      (await api().get(`/v1/carriers/${carrier}/health${query}`).expect(200)).body.map(
        ({ response_time_ms: time }: { response_time_ms: number }) => time,
      );
    expect(await times('')).toHaveLength(100);
    expect(await times('?limit=2')).toEqual([149, 148]);
    expect(await times('?limit=1000')).toHaveLength(150);
  });

  test('is empty before the first probe', async () => {
    await api()
      .get(`${base}/${await newCarrier()}/health`)
      .expect(200, []);
  });
});
