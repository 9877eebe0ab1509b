import { AUTH_ID, BASIC, BEARER, runCli, settingsFor } from './run-cli.js';
import { startScriptedApi, type ScriptedApi } from './scripted-api.js';

let api: ScriptedApi;
beforeAll(async () => {
  api = await startScriptedApi();
});
beforeEach(() => {
  const pagination = { total: 12, count: 1, per_page: 1, current_page: 1, total_pages: 12 };
  api.answer('GET /readyz', { body: 'ready\n' });
  api.answer('GET /operator/v1/accounts?per_page=1', { body: { data: [{}], pagination } });
  api.answer('GET /operator/v1/default-carriers?per_page=1', {
    body: { data: [{}], pagination: { ...pagination, total: 2 } },
  });
  api.answer(`GET /v1/account/${AUTH_ID}/carriers`, { body: [{}, {}, {}] });
});
afterEach(() => api.reset());
afterAll(() => api.stop());

const cli = (line: string) => runCli(line, { env: settingsFor(api) });

test('a platform that is well', async () => {
  expect(await cli('status')).toEqual({
    status: 0,
    stderr: '',
    stdout: [
      'platform          ready',
      `operator url      ${api.url}`,
      'accounts          12',
      'default carriers  2',
      `url               ${api.url}`,
      'auth id           TJ4F2A9C1E',
      'carriers          3',
      '',
    ].join('\n'),
  });
  expect(new Set(api.requests.map(({ authorization }) => authorization))).toEqual(new Set([BEARER, BASIC]));
});

test('--json is one object', async () => {
  expect(JSON.parse((await cli('status --json')).stdout)).toEqual({
    operator_url: api.url,
    ready: true,
    readiness: 'ready',
    accounts: 12,
    default_carriers: 2,
    url: api.url,
    auth_id: AUTH_ID,
    carriers: 3,
  });
});

test('a platform that is not ready', async () => {
  api.answer('GET /readyz', { status: 503, body: 'accounts: no responders\n' });
  const { status, stdout, stderr } = await cli('status');
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr: 'error: the platform is not ready: accounts: no responders\n',
  });
  expect(stdout).toMatch(/^platform +accounts: no responders\n/);
  expect(JSON.parse((await cli('status --json')).stdout)).toMatchObject({ ready: false });
});

test('what can not be counted is named, and the rest is shown', async () => {
  const error = { code: 'ACCOUNT_SUSPENDED', message: 'The account is suspended.' };
  api.answer(`GET /v1/account/${AUTH_ID}/carriers`, { status: 403, body: { error } });
  const { status, stdout, stderr } = await cli('status');
  expect({ status, stderr }).toEqual({ status: 1, stderr: 'error: could not count carriers\n' });
  expect(stdout).toContain('accounts          12\n');
  expect(stdout).toContain('carriers          ACCOUNT_SUSPENDED: The account is suspended.\n');
});

test('the settings of an account are not needed', async () => {
  const { TRUNKLINE_OPERATOR_URL, TRUNKLINE_OPERATOR_TOKEN } = settingsFor(api);
  const { status, stdout } = await runCli('status', {
    env: { TRUNKLINE_OPERATOR_URL, TRUNKLINE_OPERATOR_TOKEN },
  });
  expect(status).toBe(0);
  expect(stdout).not.toContain('carriers          3');
});
