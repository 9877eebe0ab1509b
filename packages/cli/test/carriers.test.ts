import { AUTH_ID, BASIC, BEARER, runCli, settingsFor, type CliSetup } from './run-cli.js';
import { startScriptedApi, type ScriptedApi } from './scripted-api.js';

let api: ScriptedApi;
beforeAll(async () => {
  api = await startScriptedApi();
});
afterEach(() => api.reset());
afterAll(() => api.stop());

const cli = (line: string | string[], setup: CliSetup = {}) =>
  runCli(line, { env: settingsFor(api), ...setup });
const sent = () => api.requests.map(({ body }) => JSON.parse(body) as unknown);

const OWN = `/v1/account/${AUTH_ID}/carriers`;
const DEFAULTS = '/operator/v1/default-carriers';
const CARRIER = {
  id: 'c1',
  name: 'Acme SIP',
  code: 'acme-sip',
  carrier_type: 'outbound',
  sip_host: 'sip.acme.example',
  sip_port: 5060,
  transport: 'tls',
  auth_username: null,
  max_channels: 100,
  active_channels: 3,
  priority: 100,
  weight: 1,
  health_check_url: null,
  config: null,
  status: 'active',
  health_status: 'healthy',
  codec_preferences: ['PCMU', 'PCMA'],
  country_code: null,
  created_at: '2026-11-20T09:00:00.000Z',
};
const ROUTE = {
  id: 'r1',
  carrier_id: 'c1',
  prefix: '+44',
  priority: 100,
  rate: 0.012,
  rate_currency: 'USD',
  status: 'active',
  created_at: '2026-11-20T09:00:00.000Z',
};
const PROBES = [
  {
    id: 'p2',
    carrier_id: 'c1',
    status: 'unhealthy',
    error_message: 'timeout',
    created_at: '2026-11-20T09:01:00.000Z',
  },
  {
    id: 'p1',
    carrier_id: 'c1',
    status: 'healthy',
    response_time_ms: 42,
    created_at: '2026-11-20T09:00:00.000Z',
  },
];

describe.each([
  ['own', '', OWN, BASIC],
  ['default', ' --default', DEFAULTS, BEARER],
])('%s carriers', (_whose, flag, path, authorization) => {
  test.each([
    [`carriers list${flag}`, `GET ${path}`, [CARRIER]],
    [`carriers show c1${flag}`, `GET ${path}/c1`, CARRIER],
    [`carriers create --name A --sip-host h${flag}`, `POST ${path}`, CARRIER],
    [`carriers update c1 --weight 2${flag}`, `PUT ${path}/c1`, CARRIER],
    [`carriers delete c1${flag}`, `DELETE ${path}/c1`, undefined],
    [`carriers health c1${flag}`, `GET ${path}/c1/health`, PROBES],
    [`carriers routes list c1${flag}`, `GET ${path}/c1/routes`, [ROUTE]],
    [`carriers routes add c1 --prefix +44${flag}`, `POST ${path}/c1/routes`, ROUTE],
    [`carriers routes remove c1 r1${flag}`, `DELETE ${path}/c1/routes/r1`, undefined],
  ])('%s is %s', async (line, request, body) => {
    api.answer(request, body === undefined ? { status: 204 } : { body });
    expect(await cli(line)).toMatchObject({ status: 0, stderr: '' });
    expect(api.requests).toHaveLength(1);
    expect(api.requests[0]?.authorization).toBe(authorization);
    const { stdout } = await cli(`${line} --json`);
    expect(stdout).toBe(body === undefined ? '' : `${JSON.stringify(body)}\n`);
  });
});

describe('what is shown', () => {
  test('a list of carriers', async () => {
    const inbound = {
      ...CARRIER,
      id: 'c2',
      name: 'In',
      carrier_type: 'inbound',
      sip_host: null,
      status: 'disabled',
    };
    api.answer(`GET ${OWN}`, { body: [CARRIER, { ...inbound, health_status: 'unknown' }] });
    expect((await cli('carriers list')).stdout).toBe(
      [
        'ID  NAME      TYPE      HOST                       PRIORITY  WEIGHT  CHANNELS  STATUS    HEALTH',
        'c1  Acme SIP  outbound  sip.acme.example:5060/tls       100       1     3/100  active    healthy',
        'c2  In        inbound   -                               100       1     3/100  disabled  unknown',
        '',
      ].join('\n'),
    );
  });

  test('a page of default carriers', async () => {
    const pagination = { total: 2, count: 1, per_page: 1, current_page: 1, total_pages: 2 };
    api.answer(`GET ${DEFAULTS}?page=1&per_page=1`, { body: { data: [CARRIER], pagination } });
    expect((await cli('carriers --default list --page 1 --per-page 1')).stdout).toMatch(
      /Page 1 of 2, 2 in all; next: --page 2\n$/,
    );
    expect(await cli('carriers list --page 2')).toMatchObject({
      status: 2,
      stderr: 'error: the list of own carriers has no pages\n',
    });
  });

  test('a carrier, every field of it', async () => {
    api.answer(`GET ${OWN}/c1`, { body: { ...CARRIER, a_field_of_tomorrow: { deep: true } } });
    const { stdout } = await cli('carriers show c1');
    expect(stdout).toContain('codec_preferences    PCMU, PCMA\n');
    expect(stdout).toContain('auth_username        -\n');
    expect(stdout).toContain('a_field_of_tomorrow  {"deep":true}\n');
  });

  test('what comes after create', async () => {
    api.answer(`POST ${OWN}`, { status: 201, body: CARRIER });
    expect((await cli('carriers create --name A --sip-host h')).stdout).toMatch(
      /\n\nIt takes no calls without a route; one for every number: trunkline carriers routes add c1 --prefix \+\n$/,
    );
    api.answer(`POST ${DEFAULTS}`, { status: 201, body: CARRIER });
    expect((await cli('carriers create --name A --sip-host h --default')).stdout).toContain(
      'trunkline carriers routes add --default c1 --prefix +\n',
    );
  });

  test('health probes', async () => {
    api.answer(`GET ${OWN}/c1/health`, { body: PROBES });
    expect((await cli('carriers health c1')).stdout).toBe(
      [
        'TIME                      STATUS     MS  ERROR',
        '2026-11-20T09:01:00.000Z  unhealthy   -  timeout',
        '2026-11-20T09:00:00.000Z  healthy    42  -',
        '',
      ].join('\n'),
    );
  });

  test('routes', async () => {
    api.answer(`GET ${OWN}/c1/routes`, { body: [ROUTE, { ...ROUTE, id: 'r2', prefix: '+', rate: null }] });
    expect((await cli('carriers routes list c1')).stdout).toBe(
      [
        'ID  PREFIX  PRIORITY       RATE  STATUS',
        'r1  +44          100  0.012 USD  active',
        'r2  +            100          -  active',
        '',
      ].join('\n'),
    );
  });

  test.each([
    ['carriers list', OWN, 'No carriers yet: trunkline carriers create --name <name> --sip-host <host>'],
    ['carriers health c1', `${OWN}/c1/health`, 'Not probed yet.'],
    [
      'carriers routes list c1',
      `${OWN}/c1/routes`,
      'No routes yet, so it takes no calls: trunkline carriers routes add c1 --prefix +',
    ],
  ])('nothing, for %s', async (line, path, text) => {
    api.answer(`GET ${path}`, { body: [] });
    expect((await cli(line)).stdout).toBe(`${text}\n`);
  });

  test('control characters of a name do not reach the terminal', async () => {
    api.answer(`GET ${OWN}`, { body: [{ ...CARRIER, name: 'a\u001b[2Jb\nc' }] });
    const { stdout } = await cli('carriers list');
    expect(stdout).toContain('a\\u001b[2Jb\\u000ac');
    expect(stdout).not.toContain('\u001b');
  });
});

describe('what is sent', () => {
  beforeEach(() => {
    api.answer(`POST ${OWN}`, { status: 201, body: CARRIER });
    api.answer(`PUT ${OWN}/c1`, { body: CARRIER });
    api.answer(`POST ${OWN}/c1/routes`, { status: 201, body: ROUTE });
  });

  const all = [
    ...[
      '--name',
      'Acme SIP',
      '--code',
      'acme',
      '--carrier-type',
      'bidirectional',
      '--sip-host',
      'sip.acme.example',
    ],
    ...['--sip-port', '5061', '--transport', 'tls', '--auth-username', 'me', '--auth-password', '-pass word'],
    ...[
      '--max-channels',
      '5',
      '--priority',
      '0',
      '--weight',
      '3',
      '--health-check-url',
      'https://acme.example/up',
    ],
    ...['--config', '{"a":1}', '--codec-preferences', 'PCMU, PCMA', '--country-code', 'GB'],
  ];
  const allSent = {
    name: 'Acme SIP',
    code: 'acme',
    carrier_type: 'bidirectional',
    sip_host: 'sip.acme.example',
    sip_port: 5061,
    transport: 'tls',
    auth_username: 'me',
    auth_password: '-pass word',
    max_channels: 5,
    priority: 0,
    weight: 3,
    health_check_url: 'https://acme.example/up',
    config: '{"a":1}',
    codec_preferences: ['PCMU', 'PCMA'],
    country_code: 'GB',
  };

  test('every field of a carrier, in its type', async () => {
    await cli(['carriers', 'create', ...all]);
    await cli(['carriers', 'update', 'c1', ...all, '--status', 'disabled']);
    expect(sent()).toEqual([allSent, { ...allSent, status: 'disabled' }]);
  });

  test('an update only of what is named, and null for what is cleared', async () => {
    await cli('carriers update c1 --weight 3 --clear health-check-url,auth_password');
    expect(sent()).toEqual([{ weight: 3, health_check_url: null, auth_password: null }]);
    expect((await cli('carriers update c1 --clear name')).status).toBe(2);
    expect((await cli('carriers update c1')).status).toBe(2);
    expect(sent()).toHaveLength(1);
  });

  test('a route', async () => {
    await cli('carriers routes add c1 --prefix +44');
    await cli('carriers routes add c1 --prefix + --priority 7 --rate 0.0125 --rate-currency EUR');
    expect(sent()).toEqual([
      { prefix: '+44' },
      { prefix: '+', priority: 7, rate: 0.0125, rate_currency: 'EUR' },
    ]);
  });

  test('the password from standard input, without the line break', async () => {
    const line = 'carriers create --name A --sip-host h --auth-password-stdin';
    await cli(line, { stdin: 'pass wörd \n' });
    expect(sent()).toEqual([{ name: 'A', sip_host: 'h', auth_password: 'pass wörd ' }]);
  });

  test.each<[string, string, CliSetup, string]>([
    ['nothing there', '', { stdin: '\n' }, 'standard input is empty'],
    ['a terminal', '', { isTerminal: true }, 'reads from a pipe or a file'],
    ['given twice', ' --auth-password x', { stdin: 'y' }, 'cannot be used with'],
  ])('no password from standard input: %s', async (_name, more, setup, text) => {
    const run = await cli(`carriers update c1 --auth-password-stdin${more}`, setup);
    expect(run.status).toBe(2);
    expect(run.stderr).toContain(text);
    expect(api.requests).toEqual([]);
  });
});
