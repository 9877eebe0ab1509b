import fc from 'fast-check';
import { expectRefusal, startTestService } from '@trunkline/testing';
import { service } from '../src/service.js';
import {
  newCaller,
  NOTIFICATIONS,
  publish,
  subscribe,
  WEBHOOKS,
  type Notifications,
} from './webhook-fixtures.js';

let notifications: Notifications;
let webhook: string;
let delivery: string;
beforeAll(async () => {
  notifications = await startTestService(service);
  webhook = (await subscribe(notifications, caller)).id;
  delivery = (await publish(notifications, caller)).id;
});
afterAll(() => notifications.stop());

const caller = newCaller();
const api = () => notifications.as(caller);
const input = { url: 'https://hooks.acme.example/', events: ['*'] };
const send = (method: 'post' | 'put', path: string, json: string) =>
  api()[method](path).set('content-type', 'application/json').send(json);

/** [what, the field, its value]: refused on create and on change alike. */
const fields: [string, string, unknown][] = [
  ['a URL without https', 'url', 'http://hooks.acme.example/'],
  ['a URL of another scheme', 'url', 'ftp://hooks.acme.example/'],
  ['a relative URL', 'url', '/in'],
  ['a URL with a password', 'url', 'https://user:secret@acme.example/'],
  ['a URL with a line break', 'url', 'https://acme.example/\r\nX: y'],
  ['an empty URL', 'url', ''],
  ['a null URL', 'url', null],
  ['a URL of 2,049 characters', 'url', `https://acme.example/${'x'.repeat(2_028)}`],
  ['no events', 'events', []],
  ['null events', 'events', null],
  ['events that are text', 'events', '*'],
  ['an empty event', 'events.0', ['']],
  ['an event of 101 characters', 'events.0', ['x'.repeat(101)]],
  ['an event with a line break', 'events.1', ['a', 'a\r\nb']],
  ['an event with a blank behind it', 'events.0', ['a ']],
  ['an event in other letters', 'events.0', ['событие']],
  ['an event that is a number', 'events.0', [7]],
  ['one event twice', 'events.1', ['a', 'a']],
  ['101 events', 'events', Array.from({ length: 101 }, (_, n) => `e${n}`)],
  ['a secret of 15 characters', 'secret', 'x'.repeat(15)],
  ['a secret of 257 characters', 'secret', 'x'.repeat(257)],
  ['a secret with a blank', 'secret', 'sixteen letters or more'],
  ['a secret in other letters', 'secret', 'пароль-пароль-пароль'],
  ['an empty secret', 'secret', ''],
  ['a null secret', 'secret', null],
  ['active in quotes', 'active', 'true'],
  ['a null active', 'active', null],
  ['a negative number of retries', 'max_retries', -1],
  ['eleven retries', 'max_retries', 11],
  ['half a retry', 'max_retries', 0.5],
  ['retries in quotes', 'max_retries', '3'],
  ['a null number of retries', 'max_retries', null],
  ['a time-out of 99 ms', 'timeout_ms', 99],
  ['a time-out of 30,001 ms', 'timeout_ms', 30_001],
  ['a null time-out', 'timeout_ms', null],
  ['a key nobody knows', 'colour', 'red'],
  ['the key "constructor"', 'constructor', 1],
];
const bodyWith = (field: string, value: unknown) => ({ [field.split('.')[0] ?? field]: value });

describe('a webhook', () => {
  test.each(fields)('is not created with %s', async (_what, field, value) => {
    expectRefusal(
      await send('post', WEBHOOKS, JSON.stringify({ ...input, ...bodyWith(field, value) })),
      field,
    );
  });

  test.each(fields)('is not changed to %s', async (_what, field, value) => {
    expectRefusal(await send('put', `${WEBHOOKS}/${webhook}`, JSON.stringify(bodyWith(field, value))), field);
  });

  test('is not created without a URL or events', async () => {
    expectRefusal(await send('post', WEBHOOKS, '{"events":["*"]}'), 'url');
    expectRefusal(await send('post', WEBHOOKS, '{"url":"https://a.example"}'), 'events');
  });

  test('may hold the largest and the smallest of everything', async () => {
    const largest = {
      url: `https://acme.example/${'x'.repeat(2_027)}`,
      events: Array.from({ length: 100 }, (_, n) => `${'e'.repeat(97)}${n + 100}`),
      secret: 'x'.repeat(256),
      max_retries: 10,
      timeout_ms: 30_000,
    };
    const smallest = {
      url: 'https://a',
      events: ['a'],
      secret: '!'.repeat(16),
      max_retries: 0,
      timeout_ms: 100,
    };
    for (const body of [largest, smallest]) {
      expect((await api().post(WEBHOOKS).send(body).expect(201)).body).toMatchObject(body);
    }
  });

  test('may be reached over plain http on loopback in embedded mode only', async () => {
    const local = { ...input, url: 'http://127.0.0.1:9/' };
    const { id } = (await api().post(WEBHOOKS).send(local).expect(201)).body;
    await api().delete(`${WEBHOOKS}/${id}`).expect(204);
    const strict = await startTestService(service, {
      replicaOf: notifications,
      overrides: { allowHttpOnLoopback: false },
    });
    expectRefusal(await strict.as(caller).post(WEBHOOKS).send(local), 'url');
    await strict.stop();
  });
});

describe('an event', () => {
  test.each<[string, string, unknown]>([
    ['no payload', 'payload', undefined],
    ['a null payload', 'payload', null],
    ['an object as its payload', 'payload', { a: 1 }],
    ['an empty payload', 'payload', ''],
    ['a payload that is not JSON', 'payload', '{a: 1}'],
    ['a payload with a blank line behind half of it', 'payload', '{"a":\n'],
    ['a payload with U+0000', 'payload', '"\0"'],
    ['a payload of more than 256 KiB', 'payload', JSON.stringify('x'.repeat(262_143))],
    ['no type', 'event_type', undefined],
    ['a null type', 'event_type', null],
    ['an empty type', 'event_type', ''],
    ['a type of 101 characters', 'event_type', 'x'.repeat(101)],
    ['a type that is a number', 'event_type', 7],
    ['a key nobody knows', 'colour', 'red'],
  ])('is not published with %s', async (_what, field, value) => {
    const body = JSON.stringify({ event_type: 'a', payload: '{}', [field]: value });
    expectRefusal(await send('post', NOTIFICATIONS, body), field);
  });
});

describe('a body', () => {
  test.each(['[]', 'null', '"x"', '7', '{"name":', '\u0000', 'NaN'])('%s is refused', async (json) => {
    for (const { method, path } of withBody()) {
      expectRefusal(await send(method as 'post' | 'put', fill(path), json), 'body');
    }
  });

  test('of another type is 415, one of more than 1 MiB is 413', async () => {
    await api().post(NOTIFICATIONS).set('content-type', 'text/plain').send('x').expect(415);
    await send('post', NOTIFICATIONS, JSON.stringify({ payload: 'x'.repeat(1_048_577) })).expect(413);
  });

  test('of any JSON never makes the service fail', async () => {
    const anything = fc.oneof(
      fc.jsonValue({ maxDepth: 3, stringUnit: 'binary' }),
      fc.double(),
      fc.constantFrom(
        null,
        '',
        '{}',
        '*',
        ['*'],
        'https://a.example/',
        'x'.repeat(20),
        '2026-11-20T09:00:00Z',
      ),
    );
    const attempt = fc.constantFrom(...withBody()).chain((route) => {
      const keys = [...Object.keys(route.body?.describe().keys), '__proto__', 'constructor'];
      const some = fc.dictionary(fc.constantFrom(...keys), anything, { maxKeys: 6 });
      const changed = some.map((each) => ({ ...(route.bodyExample as object), ...each }));
      return fc.record({ route: fc.constant(route), body: fc.oneof(some, changed, anything) });
    });
    await fc.assert(
      fc.asyncProperty(attempt, async ({ route, body }) => {
        const { status } = await send(route.method as 'post' | 'put', fill(route.path), JSON.stringify(body));
        expect([200, 201, 202, 400, 404, 429]).toContain(status);
      }),
      { numRuns: 300 },
    );
  }, 60_000);
});

const withBody = () => service.routes.filter(({ audience, body }) => audience === 'account' && body);
const fill = (path: string) => path.replace(':id', webhook).replace(':delivery_id', delivery);

describe('an id', () => {
  test.each(['x', '0', '%00', '..', '%ff', "'--", '00000000-0000-4000-8000-00000000000', 'toString'])(
    'that is not one (%s) is no record',
    async (id) => {
      for (const { method, path, bodyExample } of service.routes) {
        if (!path.includes(':') || !path.startsWith('/v1/')) continue;
        const url = path.replace(/:\w+/g, id);
        const { status } = await api()
          [method](url)
          .send(bodyExample as object);
        expect([method, url, status]).toEqual([method, url, 404]);
      }
    },
  );
});

describe('a query', () => {
  test.each([
    'page=0',
    'page=x',
    'per_page=0',
    'per_page=101',
    'per_page=1.5',
    'status=sent',
    'status=',
    'subscription_id=x',
    'colour=red',
    'status=pending&status=failed',
    'event_type=%00',
    'event_type=',
  ])('%p is refused for the log', async (query) => {
    expectRefusal(await api().get(`${NOTIFICATIONS}?${query}`), query.split('=')[0] ?? '');
  });

  test('of any text never makes a list fail', async () => {
    const lists = service.routes.filter(({ query, audience }) => query && audience === 'account');
    const attempt = fc.constantFrom(...lists).chain((route) => {
      const text = fc.oneof(
        fc.string({ unit: 'binary' }),
        fc.constantFrom('1', 'pending', 'queued', '%00', webhook),
      );
      const keys = fc.constantFrom(...Object.keys(route.query?.describe().keys), '__proto__', 'x');
      return fc.record({
        route: fc.constant(route),
        query: fc.array(fc.tuple(keys, text), { maxLength: 4 }),
      });
    });
    await fc.assert(
      fc.asyncProperty(attempt, async ({ route, query }) => {
        const { status } = await api().get(`${fill(route.path)}?${new URLSearchParams(query).toString()}`);
        expect([200, 400]).toContain(status);
      }),
      { numRuns: 200 },
    );
  }, 60_000);

  test('for the log of one webhook knows no other webhook', async () => {
    const path = `${WEBHOOKS}/${webhook}/deliveries`;
    expectRefusal(await api().get(`${path}?subscription_id=${webhook}`), 'subscription_id');
  });

  test('is refused where there is none', async () => {
    expectRefusal(await api().get(`${WEBHOOKS}?page=1`), 'page');
  });
});
