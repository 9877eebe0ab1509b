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

/** [what, the field, its value]: refused on create and on change alike. */
const fields: [string, string, unknown][] = [
  ['an empty name', 'name', ''],
  ['a blank name', 'name', ' \u00a0 '],
  ['a name of 201 characters', 'name', 'x'.repeat(201)],
  ['a name that is a number', 'name', 7],
  ['a null name', 'name', null],
  ['a name with a line break', 'name', 'a\r\nb'],
  ['a name with U+0000', 'name', 'a\u0000b'],
  ['a name with half a surrogate pair', 'name', 'a\ud800'],
  ['an empty code', 'code', ''],
  ['a null code', 'code', null],
  ['a code in upper case', 'code', 'Acme'],
  ['a code that begins with a hyphen', 'code', '-acme'],
  ['a code that ends with a hyphen', 'code', 'acme-'],
  ['a code with two hyphens in a row', 'code', 'a--b'],
  ['a code with an underscore', 'code', 'a_b'],
  ['a code of 65 characters', 'code', 'a'.repeat(65)],
  ['a code with a line break behind it', 'code', 'acme\n'],
  ['a type nobody knows', 'carrier_type', 'sideways'],
  ['a type in upper case', 'carrier_type', 'OUTBOUND'],
  ['a null type', 'carrier_type', null],
  ['an empty host', 'sip_host', ''],
  ['a missing host', 'sip_host', null],
  ['a host with a port', 'sip_host', 'sip.acme.example:5060'],
  ['a host with a scheme', 'sip_host', 'sip:acme.example'],
  ['a host with a blank', 'sip_host', 'acme example'],
  ['a host with a header behind it', 'sip_host', 'acme.example\r\nVia: x'],
  ['a host in brackets', 'sip_host', '[2001:db8::7]'],
  ['a host with a zone', 'sip_host', 'fe80::1%eth0'],
  ['an IPv4 address out of range', 'sip_host', '256.1.1.1'],
  ['a short IPv4 address', 'sip_host', '127.1'],
  ['a label of 64 characters', 'sip_host', `${'a'.repeat(64)}.example`],
  ['a host of 255 characters', 'sip_host', `${'a.'.repeat(127)}b`],
  ['a host with an underscore', 'sip_host', 'a_b.example'],
  ['a host that is an object', 'sip_host', { host: 'x' }],
  ['port 0', 'sip_port', 0],
  ['port 65536', 'sip_port', 65_536],
  ['a port in quotes', 'sip_port', '5060'],
  ['a fraction of a port', 'sip_port', 5060.5],
  ['a null port', 'sip_port', null],
  ['a transport nobody knows', 'transport', 'sctp'],
  ['an empty user name', 'auth_username', ''],
  ['a user name with a line break', 'auth_username', 'a\r\nb'],
  ['a user name of 256 characters', 'auth_username', 'x'.repeat(256)],
  ['an empty password', 'auth_password', ''],
  ['a password with a tab', 'auth_password', 'a\tb'],
  ['a password with U+0085', 'auth_password', 'a\u0085b'],
  ['a password of 256 characters', 'auth_password', 'x'.repeat(256)],
  ['a password that is a number', 'auth_password', 12_345_678],
  ['no channels', 'max_channels', 0],
  ['1,000,001 channels', 'max_channels', 1_000_001],
  ['half a channel', 'max_channels', 0.5],
  ['channels in quotes', 'max_channels', '10'],
  ['a negative priority', 'priority', -1],
  ['a priority of 1,000,001', 'priority', 1_000_001],
  ['a priority of 1e300', 'priority', 1e300],
  ['a weight of 0', 'weight', 0],
  ['a weight of 1,001', 'weight', 1_001],
  ['a weight of 2^53 + 1', 'weight', 2 ** 53 + 2],
  ['a boolean weight', 'weight', true],
  ['a health URL without https', 'health_check_url', 'http://status.acme.example/'],
  ['a health URL of another scheme', 'health_check_url', 'file:///etc/passwd'],
  ['a relative health URL', 'health_check_url', '/health'],
  ['a health URL with a user name', 'health_check_url', 'https://user:secret@acme.example/'],
  ['a health URL with a line break', 'health_check_url', 'https://acme.example/\r\nX: y'],
  ['an empty health URL', 'health_check_url', ''],
  ['a health URL of 2,049 characters', 'health_check_url', `https://acme.example/${'x'.repeat(2_028)}`],
  ['a config that is not JSON', 'config', '{a: 1}'],
  ['an empty config', 'config', ''],
  ['a config that is an object', 'config', { a: 1 }],
  ['a config of more than 16 KiB', 'config', JSON.stringify('x'.repeat(16_383))],
  ['a config of more than 16 KiB in fewer characters', 'config', JSON.stringify('€'.repeat(6_000))],
  ['a status nobody knows', 'status', 'paused'],
  ['a null status', 'status', null],
  ['codecs that are text', 'codec_preferences', 'PCMU'],
  ['null codecs', 'codec_preferences', null],
  ['21 codecs', 'codec_preferences', Array.from({ length: 21 }, (_, n) => `c${n}`)],
  ['one codec twice', 'codec_preferences.1', ['PCMU', 'PCMU']],
  ['a codec with a line break', 'codec_preferences.1', ['PCMU', 'a\r\nb']],
  ['an empty codec', 'codec_preferences.0', ['']],
  ['a codec of 33 characters', 'codec_preferences.0', ['x'.repeat(33)]],
  ['a codec that is a number', 'codec_preferences.0', [8]],
  ['a country in lower case', 'country_code', 'de'],
  ['a country of three letters', 'country_code', 'DEU'],
  ['an empty country', 'country_code', ''],
  ['a key nobody knows', 'colour', 'red'],
  ['the key "constructor"', 'constructor', 1],
  ['the key "toString"', 'toString', 'x'],
];
const bodyWith = (field: string, value: unknown) => ({ [field.split('.')[0] ?? field]: value });

describe('a carrier', () => {
  // The status of a new carrier is not the caller's to set: it is ignored (decisions 2).
  test.each(fields.filter(([, field]) => field !== 'status'))(
    'is not created with %s',
    async (_what, field, value) => {
      expectRefusal(
        await send('post', '/v1/carriers', JSON.stringify({ ...input, ...bodyWith(field, value) })),
        field,
      );
    },
  );

  test.each(fields)('is not changed to %s', async (_what, field, value) => {
    expectRefusal(
      await send('put', `/v1/carriers/${carrier}`, JSON.stringify(bodyWith(field, value))),
      field,
    );
  });

  test('is not created without a name or, unless it is inbound, a host', async () => {
    expectRefusal(await send('post', '/v1/carriers', '{"sip_host":"a.example"}'), 'name');
    expectRefusal(await send('post', '/v1/carriers', '{"name":"x"}'), 'sip_host');
    expectRefusal(
      await send('post', '/v1/carriers', '{"name":"x","carrier_type":"bidirectional"}'),
      'sip_host',
    );
  });

  test('has every refused field named at once', async () => {
    const { body } = await send('post', '/v1/carriers', '{"sip_port":0,"weight":0}').expect(400);
    expect(body.error.details.map(({ field }: { field: string }) => field).sort()).toEqual([
      'name',
      'sip_port',
      'weight',
    ]);
  });

  test('may hold the largest of everything', async () => {
    const largest = {
      name: 'x'.repeat(200),
      code: 'a'.repeat(64),
      sip_host: `${'a.'.repeat(126)}b`,
      sip_port: 65_535,
      auth_username: 'x'.repeat(255),
      max_channels: 1_000_000,
      priority: 1_000_000,
      weight: 1_000,
      health_check_url: `https://acme.example/${'x'.repeat(2_027)}`,
      config: JSON.stringify('x'.repeat(16_382)),
      codec_preferences: Array.from({ length: 20 }, (_, n) => `${'c'.repeat(30)}${n + 10}`),
      country_code: 'ZZ',
    };
    const { body } = await api()
      .post('/v1/carriers')
      .send({ ...largest, auth_password: 'x'.repeat(255) })
      .expect(201);
    expect(body).toMatchObject(largest);
  });

  test('may be checked over plain http on loopback in embedded mode only', async () => {
    const url = { ...input, health_check_url: 'http://127.0.0.1:9/' };
    await api().post('/v1/carriers').send(url).expect(201);
    const strict = await startTestService(service, {
      replicaOf: carriers,
      overrides: { allowHttpOnLoopback: false },
    });
    expectRefusal(await strict.as(caller).post('/v1/carriers').send(url), 'health_check_url');
    await strict.stop();
  });
});

describe('a route', () => {
  const cases: [string, string, unknown][] = [
    ['no prefix', 'prefix', undefined],
    ['a null prefix', 'prefix', null],
    ['an empty prefix', 'prefix', ''],
    ['a prefix without a plus sign', 'prefix', '49'],
    ['a prefix of 16 digits', 'prefix', `+${'1'.repeat(16)}`],
    ['a prefix with a blank', 'prefix', '+49 30'],
    ['a prefix with a line break behind it', 'prefix', '+49\n'],
    ['a prefix in other digits', 'prefix', '+٤٩'],
    ['a prefix that is a number', 'prefix', 49],
    ['a negative priority', 'priority', -1],
    ['a priority of 1,000,001', 'priority', 1_000_001],
    ['a fraction of a priority', 'priority', 0.5],
    ['a null priority', 'priority', null],
    ['a negative rate', 'rate', -0.01],
    ['a rate of 1,000,000.1', 'rate', 1_000_000.1],
    ['a rate of 7 decimals', 'rate', 0.1234567],
    ['a rate of 1e-7', 'rate', 1e-7],
    ['a rate in quotes', 'rate', '0.01'],
    ['a currency in lower case', 'rate_currency', 'usd'],
    ['a currency of 4 letters', 'rate_currency', 'USDT'],
    ['a null currency', 'rate_currency', null],
    ['a key nobody knows', 'colour', 'red'],
  ];
  test.each(cases)('is not created with %s', async (_what, field, value) => {
    const body = JSON.stringify({ prefix: '+1', [field]: value });
    expectRefusal(await send('post', `/v1/carriers/${carrier}/routes`, body), field);
    await api().get(`/v1/carriers/${carrier}/routes`).expect(200, []);
  });
});
