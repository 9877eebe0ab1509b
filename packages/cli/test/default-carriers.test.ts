import { AUTH_ID, BASIC, BEARER, runCli, settingsFor } from './run-cli.js';
import { startScriptedApi, type ScriptedApi } from './scripted-api.js';

let api: ScriptedApi;
beforeAll(async () => {
  api = await startScriptedApi();
});
afterEach(() => api.reset());
afterAll(() => api.stop());

const cli = (line: string) => runCli(line, { env: settingsFor(api) });
const OWN = `/v1/account/${AUTH_ID}/default-carriers`;
const OPERATOR = '/operator/v1/accounts/a1/default-carriers';

test('without --account it is the switch of the account', async () => {
  api.answer(`GET ${OWN}`, { body: { enabled: true, operator_enabled: true } });
  expect((await cli('default-carriers show')).stdout).toBe(`Default carriers are enabled for ${AUTH_ID}.\n`);
  api.answer(`PUT ${OWN}`, { body: { enabled: false, operator_enabled: true } });
  expect((await cli('default-carriers disable')).stdout).toBe(
    `Default carriers are disabled for ${AUTH_ID}.\n`,
  );
  expect(api.requests.map(({ method, authorization, body }) => [method, authorization, body])).toEqual([
    ['GET', BASIC, ''],
    ['PUT', BASIC, '{"enabled":false}'],
  ]);
});

test('with --account it is the switch of the operator', async () => {
  api.answer(`PUT ${OPERATOR}`, { body: { enabled: true, account_enabled: true } });
  expect((await cli('default-carriers enable --account a1')).stdout).toBe(
    'Default carriers are enabled for account a1 by the operator.\n',
  );
  expect(api.requests[0]).toMatchObject({ authorization: BEARER, body: '{"enabled":true}' });
});

test('an enabled switch does not hide that the other one is off', async () => {
  api.answer(`GET ${OWN}`, { body: { enabled: true, operator_enabled: false } });
  expect((await cli('default-carriers show')).stdout).toBe(
    `Default carriers are enabled for ${AUTH_ID}, but disabled by the operator: they take no calls.\n`,
  );
  api.answer(`GET ${OPERATOR}`, { body: { enabled: true, account_enabled: false } });
  expect((await cli('default-carriers show --account a1')).stdout).toBe(
    'Default carriers are enabled for account a1 by the operator, but disabled by the account itself: they take no calls.\n',
  );
});

test('an answer without a body, and --json', async () => {
  api.answer(`PUT ${OWN}`, { status: 204 });
  expect((await cli('default-carriers enable')).stdout).toBe(
    `Default carriers are enabled for ${AUTH_ID}.\n`,
  );
  api.answer(`GET ${OWN}`, { body: { enabled: true } });
  expect((await cli('default-carriers show --json')).stdout).toBe('{"enabled":true}\n');
});
