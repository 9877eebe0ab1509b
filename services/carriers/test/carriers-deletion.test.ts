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
const path = `/v1/account/${caller.auth_id}/carriers`;
const api = () => carriers.as(caller);
const input = { name: 'Acme SIP', sip_host: 'sip.acme.example' };
const create = async (body: object = input) => (await api().post(path).send(body).expect(201)).body;
const db = () => carriers.deps.db;

describe('a deleted carrier', () => {
  test('is gone with its routes and health; leases of calls on it stay', async () => {
    const { id } = await create();
    await api().post(`${path}/${id}/routes`).send({ prefix: '+' }).expect(201);
    const lease = { id: randomUUID(), carrierId: id, expiresAt: new Date(Date.now() + 60_000) };
    await db().channelLease.create({ data: lease });
    await api().delete(`${path}/${id}`).expect(204);
    await api().get(`${path}/${id}`).expect(404);
    await api().get(`${path}/${id}/routes`).expect(404);
    await api().get(`${path}/${id}/health`).expect(404);
    expect(await db().carrierRoute.count({ where: { carrierId: id } })).toBe(0);
    expect(await db().carrierHealth.count({ where: { carrierId: id } })).toBe(0);
    expect(await db().carrierChannels.count({ where: { carrierId: id } })).toBe(0);
    expect(await db().channelLease.count({ where: { carrierId: id } })).toBe(1);
  });

  test('was deleted by one of 20 concurrent requests', async () => {
    const { id } = await create();
    const answers = await Promise.all(Array.from({ length: 20 }, () => api().delete(`${path}/${id}`)));
    expect(answers.map(({ status }) => status).sort()).toEqual([
      204,
      ...Array.from({ length: 19 }, () => 404),
    ]);
  });

  test('may be deleted while it is changed and given routes', async () => {
    for (let round = 0; round < 5; round++) {
      const { id } = await create();
      const answers = await Promise.all([
        api().post(`${path}/${id}/routes`).send({ prefix: '+1' }),
        api().put(`${path}/${id}`).send({ priority: 3 }),
        api().delete(`${path}/${id}`),
        api().post(`${path}/${id}/routes`).send({ prefix: '+2' }),
        api().put(`${path}/${id}`).send({ priority: 4 }),
      ]);
      expect(answers.filter(({ status }) => ![200, 201, 204, 404].includes(status))).toEqual([]);
      await api().get(`${path}/${id}`).expect(404);
    }
  });
});

describe('the feed of routing changes', () => {
  test('has a row of the owner for every write, in the transaction of the write', async () => {
    const me = accountCaller(2);
    const changes = () => db().routingChange.count({ where: { scope: me.auth_id } });
    const steps: [string, () => PromiseLike<{ status: number }>, number][] = [];
    const { id } = (await carriers.as(me).post('/v1/carriers').send(input).expect(201)).body;
    const as = () => carriers.as(me);
    let routeId = '';
    steps.push(
      [
        'a route',
        async () => {
          const answer = await as().post(`/v1/carriers/${id}/routes`).send({ prefix: '+1' });
          routeId = answer.body.id;
          return answer;
        },
        1,
      ],
      ['the same route', () => as().post(`/v1/carriers/${id}/routes`).send({ prefix: '+1' }), 0],
      ['a change', () => as().put(`/v1/carriers/${id}`).send({ weight: 2 }), 1],
      ['a refused change', () => as().put(`/v1/carriers/${id}`).send({ sip_host: null }), 0],
      ['no route', () => as().delete(`/v1/carriers/${id}/routes/${id}`), 0],
      ['the route', () => as().delete(`/v1/carriers/${id}/routes/${routeId}`), 1],
      ['the carrier', () => as().delete(`/v1/carriers/${id}`), 1],
      ['no carrier', () => as().delete(`/v1/carriers/${id}`), 0],
    );
    expect(await changes()).toBe(1);
    for (const [what, step, rows] of steps) {
      const before = await changes();
      const { status } = await step();
      expect([what, status < 300, (await changes()) - before]).toEqual([what, rows === 1, rows]);
    }
  });
});
