import fc from 'fast-check';
import { accountCaller, expectRefusal, startTestService, type TestService } from '@trunkline/testing';
import type { Deps } from '../src/deps.js';
import { service } from '../src/service.js';

let carriers: TestService<Deps>;
let carrier: string;
beforeAll(async () => {
  carriers = await startTestService(service);
  carrier = (await api().post('/v1/carriers').send(input).expect(201)).body.id;
});
afterAll(() => carriers.stop());

const caller = accountCaller(1);
const api = () => carriers.as(caller);
const input = { name: 'Acme', sip_host: 'sip.acme.example' };
const send = (method: 'post' | 'put', path: string, json: string) =>
  api()[method](path).set('content-type', 'application/json').send(json);

describe('a body', () => {
  const paths = (): ['post' | 'put', string][] => [
    ['post', '/v1/carriers'],
    ['put', `/v1/carriers/${carrier}`],
    ['post', `/v1/carriers/${carrier}/routes`],
    ['put', '/v1/default-carriers'],
  ];

  test.each(['[]', 'null', '"x"', '7', 'true', '{"name":', '{"name":"x",}', '\u0000', 'NaN'])(
    '%s is refused',
    async (json) => {
      for (const [method, path] of paths()) expectRefusal(await send(method, path, json), 'body');
    },
  );

  test.each(['{"sip_port":1e999}', '{"max_channels":-1e999}', '{"priority":123456789012345678901234567890}'])(
    'with a huge number is refused: %s',
    async (json) => {
      expectRefusal(
        await send('put', `/v1/carriers/${carrier}`, json),
        Object.keys(JSON.parse(json))[0] ?? '',
      );
    },
  );

  test('of a prototype changes no other object', async () => {
    for (const [method, path] of paths()) {
      const { status } = await send(method, path, '{"__proto__":{"polluted":true},"prefix":"+1","name":"x"}');
      expect(status).toBeLessThan(500);
    }
    expect(({} as { polluted?: true }).polluted).toBeUndefined();
  });

  test('of another type is 415, one of more than 1 MiB is 413', async () => {
    await api().post('/v1/carriers').set('content-type', 'text/plain').send('x').expect(415);
    await send('post', '/v1/carriers', JSON.stringify({ name: 'x'.repeat(1_048_577) })).expect(413);
  });

  test('with a list of 300,000 codecs is refused at once', async () => {
    const started = performance.now();
    const { body } = await send(
      'put',
      `/v1/carriers/${carrier}`,
      `{"codec_preferences":[${'{},'.repeat(299_999)}{}]}`,
    ).expect(400);
    expect(body.error.details).toHaveLength(1);
    expect(performance.now() - started).toBeLessThan(2_000);
  });

  test('of any JSON never makes the service fail', async () => {
    const withBody = service.routes.filter(({ audience, body }) => audience === 'account' && body);
    const anything = fc.oneof(
      fc.jsonValue({ maxDepth: 3, stringUnit: 'binary' }),
      fc.double(),
      fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }).map(Number),
      fc.constantFrom(null, '', '+1', 'a.example', '{}', 'https://a.example/', ['PCMU'], 'active', 'inbound'),
    );
    const attempt = fc.constantFrom(...withBody).chain((route) => {
      const keys = [...Object.keys(route.body?.describe().keys), '__proto__', 'constructor'];
      const fields = fc.dictionary(fc.constantFrom(...keys), anything, { maxKeys: 6 });
      const changed = fields.map((some) => ({ ...(route.bodyExample as object), ...some }));
      return fc.record({ route: fc.constant(route), body: fc.oneof(fields, changed, anything) });
    });
    await fc.assert(
      fc.asyncProperty(attempt, async ({ route, body }) => {
        const path = route.path.replace(':auth_id', caller.auth_id).replace(':id', carrier);
        const { status } = await send(route.method as 'post' | 'put', path, JSON.stringify(body));
        expect([200, 201, 400, 409]).toContain(status);
      }),
      { numRuns: 300 },
    );
  }, 60_000);
});

describe('an id', () => {
  const wrong = [
    'x',
    '0',
    '%00',
    '..',
    '%2e%2e',
    '%ff',
    "'--",
    '00000000-0000-4000-8000-00000000000',
    'toString',
  ];
  const odd = (id: string) => [
    `(${id})`,
    `{${id}}`,
    `[${id}]`,
    id.replace(/-/g, ''),
    id.replace(/-/g, ':'),
    `${id}%0a`,
    ` ${id}`,
  ];

  test.each([...wrong, 'odd'])('that is not one (%s) is no carrier and no route', async (id) => {
    for (const text of id === 'odd' ? odd(carrier) : [id]) {
      await api().get(`/v1/carriers/${text}`).expect(404);
      await api().put(`/v1/carriers/${text}`).send({ weight: 2 }).expect(404);
      await api().get(`/v1/carriers/${text}/routes`).expect(404);
      await api().post(`/v1/carriers/${text}/routes`).send({ prefix: '+1' }).expect(404);
      await api().get(`/v1/carriers/${text}/health`).expect(404);
      await api().delete(`/v1/carriers/${carrier}/routes/${text}`).expect(404);
      await api().delete(`/v1/carriers/${text}`).expect(404);
    }
  });

  test('of nothing is 404 whatever the operation', async () => {
    const nothing = '00000000-0000-4000-8000-000000000000';
    await api().get(`/v1/carriers/${nothing}`).expect(404);
    await api().put(`/v1/carriers/${nothing}`).send({ weight: 2 }).expect(404);
    await api().post(`/v1/carriers/${nothing}/routes`).send({ prefix: '+1' }).expect(404);
    await api().delete(`/v1/carriers/${carrier}/routes/${nothing}`).expect(404);
  });
});

describe('a query', () => {
  test.each(['limit=0', 'limit=1001', 'limit=x', 'limit=1.5', 'limit=', 'limit=1&limit=2', 'page=1'])(
    '%p is refused for probes',
    async (query) => {
      expectRefusal(await api().get(`/v1/carriers/${carrier}/health?${query}`), query.split('=')[0] ?? '');
    },
  );

  test('is refused where there is none', async () => {
    expectRefusal(await api().get('/v1/carriers?page=1'), 'page');
  });
});
