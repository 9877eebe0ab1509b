import { accountCaller, startTestService, type TestService } from '@trunkline/testing';
import type { Deps } from '../src/deps.js';
import { service } from '../src/service.js';

let carriers: TestService<Deps>;
beforeAll(async () => {
  carriers = await startTestService(service);
});
afterAll(() => carriers.stop());

let callers = 0;
/** A caller of its own for a test: nobody else's carriers are in its list. */
const newCaller = () => accountCaller(++callers + 100);
const caller = accountCaller(1);
const path = `/v1/account/${caller.auth_id}/carriers`;
const api = () => carriers.as(caller);
const input = { name: 'Acme SIP', sip_host: 'sip.acme.example' };
const create = async (body: object = input, as = caller) =>
  (await carriers.as(as).post('/v1/carriers').send(body).expect(201)).body;
const read = async (id: string) => (await api().get(`${path}/${id}`).expect(200)).body;
const db = () => carriers.deps.db;

describe('a carrier', () => {
  test('is answered with exactly the fields of the specification, and what is left out has its default', async () => {
    const created = (
      await api().post(path).send({ name: 'First of all', sip_host: 'sip.acme.example' }).expect(201)
    ).body;
    expect(created).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'First of all',
      code: 'first-of-all',
      carrier_type: 'outbound',
      sip_host: 'sip.acme.example',
      sip_port: 5060,
      transport: 'udp',
      auth_username: null,
      max_channels: 100,
      active_channels: 0,
      priority: 100,
      weight: 1,
      health_check_url: null,
      config: null,
      status: 'active',
      health_status: 'unknown',
      codec_preferences: [],
      country_code: null,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
    expect(await read(created.id)).toEqual(created);
  });

  test('keeps everything that it was given', async () => {
    const all = {
      name: 'Everything',
      code: 'every-thing',
      carrier_type: 'bidirectional',
      sip_host: '2001:db8::7',
      sip_port: 5061,
      transport: 'tls',
      auth_username: 'acme',
      max_channels: 7,
      priority: 0,
      weight: 1_000,
      health_check_url: 'https://status.acme.example/sip',
      config: '{"prefix": "9"}',
      codec_preferences: ['PCMU', 'opus'],
      country_code: 'DE',
    };
    expect(await create({ ...all, auth_password: 's3cret' })).toMatchObject(all);
  });

  test('needs a host only if calls leave through it', async () => {
    const inbound = await create({ name: 'Inbound', carrier_type: 'inbound' });
    expect(inbound.sip_host).toBeNull();
    for (const change of [{ carrier_type: 'outbound' }, { carrier_type: 'bidirectional' }]) {
      const { status, body } = await api().put(`${path}/${inbound.id}`).send(change);
      expect([status, body.error.details[0].field]).toEqual([400, 'sip_host']);
    }
    await api()
      .put(`${path}/${inbound.id}`)
      .send({ carrier_type: 'outbound', sip_host: '203.0.113.7' })
      .expect(200);
    await api().put(`${path}/${inbound.id}`).send({ sip_host: null }).expect(400);
    await api().put(`${path}/${inbound.id}`).send({ sip_host: null, carrier_type: 'inbound' }).expect(200);
  });

  test('never comes to lack the host it needs, however two changes meet', async () => {
    for (let round = 0; round < 10; round++) {
      const { id } = await create({ ...input, carrier_type: 'inbound' });
      await Promise.all([
        api().put(`${path}/${id}`).send({ carrier_type: 'outbound' }),
        api().put(`${path}/${id}`).send({ sip_host: null }),
      ]);
      const { carrier_type, sip_host } = await read(id);
      expect([carrier_type, sip_host]).not.toEqual(['outbound', null]);
    }
  });

  test('is reached the same way with and without the Auth ID in the path', async () => {
    const { id } = await create();
    const short = await api().get(`/v1/carriers/${id}`).expect(200);
    expect(short.body).toEqual(await read(id));
    await api().put(`/v1/carriers/${id}`).send({ priority: 7 }).expect(200);
    expect((await read(id)).priority).toBe(7);
    await api().delete(`/v1/carriers/${id}`).expect(204);
    await api().get(`${path}/${id}`).expect(404);
  });

  test('shows its live leases and its health', async () => {
    const { id } = await create();
    await db().carrierChannels.update({ where: { carrierId: id }, data: { active: 3 } });
    await db().carrierHealth.update({ where: { carrierId: id }, data: { status: 'degraded' } });
    expect(await read(id)).toMatchObject({ active_channels: 3, health_status: 'degraded' });
  });

  test('is listed newest first, in a bare array', async () => {
    const me = newCaller();
    const made = [await create(input, me), await create(input, me), await create(input, me)];
    const { body } = await carriers.as(me).get(`/v1/account/${me.auth_id}/carriers`).expect(200);
    expect(body).toEqual(made.reverse());
  });
});

describe('a change', () => {
  test('touches only the keys present, and what was read can be put back', async () => {
    const before = await create({ ...input, country_code: 'DE', config: '{}' });
    const changed = (
      await api()
        .put(`${path}/${before.id}`)
        .send({ name: 'New', codec_preferences: ['opus'] })
        .expect(200)
    ).body;
    expect(changed).toEqual({ ...before, name: 'New', codec_preferences: ['opus'] });
    await api().put(`${path}/${before.id}`).send(changed).expect(200, changed);
    await api().put(`${path}/${before.id}`).send({}).expect(200, changed);
  });

  test('to null clears what may be empty', async () => {
    const { id } = await create({
      ...input,
      auth_username: 'acme',
      auth_password: 's3cret',
      health_check_url: 'https://status.acme.example/',
      config: '{}',
      country_code: 'DE',
    });
    const cleared = { auth_username: null, health_check_url: null, config: null, country_code: null };
    const { body } = await api()
      .put(`${path}/${id}`)
      .send({ ...cleared, auth_password: null })
      .expect(200);
    expect(body).toMatchObject(cleared);
    expect((await db().carrier.findUniqueOrThrow({ where: { id } })).authPasswordSealed).toBeNull();
  });

  test('disables and enables', async () => {
    const { id } = await create({ ...input, status: 'disabled' });
    expect((await read(id)).status).toBe('active');
    expect((await api().put(`${path}/${id}`).send({ status: 'disabled' }).expect(200)).body.status).toBe(
      'disabled',
    );
    expect((await api().put(`${path}/${id}`).send({ status: 'active' }).expect(200)).body.status).toBe(
      'active',
    );
  });

  const probed: [string, object, boolean][] = [
    ['its host', { sip_host: 'other.example' }, true],
    ['its port', { sip_port: 5080 }, true],
    ['its transport', { transport: 'tcp' }, true],
    ['its health_check_url', { health_check_url: 'https://other.example/' }, true],
    ['its status to active', { status: 'active' }, true],
    ['its host to the same', { sip_host: input.sip_host }, false],
    ['its name', { name: 'Other' }, false],
    ['its status to disabled', { status: 'disabled' }, false],
  ];
  test.each(probed)('of %s makes a probe due at once if it may matter to it', async (what, change, due) => {
    const { id } = await create();
    if (what.endsWith('active')) await api().put(`${path}/${id}`).send({ status: 'disabled' }).expect(200);
    const later = new Date(Date.now() + 3_600_000);
    await db().carrierHealth.update({ where: { carrierId: id }, data: { nextProbeAt: later } });
    await api().put(`${path}/${id}`).send(change).expect(200);
    const { nextProbeAt } = await db().carrierHealth.findUniqueOrThrow({ where: { carrierId: id } });
    expect(nextProbeAt < later).toBe(due);
  });
});
