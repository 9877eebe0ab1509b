import { BEARER, runCli, settingsFor } from './run-cli.js';
import { startScriptedApi, type ScriptedApi } from './scripted-api.js';

let api: ScriptedApi;
beforeAll(async () => {
  api = await startScriptedApi();
});
afterEach(() => api.reset());
afterAll(() => api.stop());

const cli = (line: string | string[]) => runCli(line, { env: settingsFor(api) });
const ACME = {
  id: '0b9f5c52-6f0e-4a57-9d1d-6a3a8f6f0c11',
  tenant_id: 'TJ5E2A90C4',
  name: 'Acme',
  email: 'ops@acme.example',
  status: 'active',
  billing_mode: 'postpaid',
  currency: 'USD',
  base_limit: 10,
  created_at: '2026-11-20T09:00:00.000Z',
};
const ACCOUNT = `/operator/v1/accounts/${ACME.id}`;
const page = (total: number, currentPage: number, totalPages: number) => ({
  total,
  count: 1,
  per_page: 1,
  current_page: currentPage,
  total_pages: totalPages,
});

describe('accounts', () => {
  test('list shows a table', async () => {
    const small = {
      ...ACME,
      id: '1',
      name: 'Beta',
      email: 'b@b.example',
      status: 'suspended',
      base_limit: 5,
    };
    api.answer('GET /operator/v1/accounts', { body: { data: [ACME, small], pagination: page(2, 1, 1) } });
    expect(await cli('accounts list')).toEqual({
      status: 0,
      stderr: '',
      stdout: [
        'ID                                    NAME  EMAIL             STATUS     BILLING   CURRENCY  CALLS',
        '0b9f5c52-6f0e-4a57-9d1d-6a3a8f6f0c11  Acme  ops@acme.example  active     postpaid  USD          10',
        '1                                     Beta  b@b.example       suspended  postpaid  USD           5',
        '',
      ].join('\n'),
    });
    expect(api.requests).toEqual([
      {
        method: 'GET',
        path: '/operator/v1/accounts',
        authorization: BEARER,
        contentType: undefined,
        body: '',
      },
    ]);
  });

  test('list asks for a page and says where the list goes on', async () => {
    const query = '/operator/v1/accounts?page=2&per_page=1';
    api.answer(`GET ${query}`, { body: { data: [ACME], pagination: page(3, 2, 3) } });
    expect((await cli('accounts list --page 2 --per-page 1')).stdout).toMatch(
      /\n\nPage 2 of 3, 3 in all; next: --page 3\n$/,
    );
    api.answer(`GET ${query}`, { body: { data: [ACME], pagination: page(2, 2, 2) } });
    expect((await cli('accounts list --page 2 --per-page 1')).stdout).toMatch(/\n\nPage 2 of 2, 2 in all\n$/);
    api.answer(`GET ${query}`, { body: { data: [], pagination: page(1, 2, 1) } });
    expect((await cli('accounts list --page 2 --per-page 1')).stdout).toBe(
      'Nothing on this page; 1 in all.\n',
    );
  });

  test('list of nothing says how to begin', async () => {
    api.answer('GET /operator/v1/accounts', { body: { data: [], pagination: page(0, 1, 0) } });
    expect((await cli('accounts list')).stdout).toBe(
      'No accounts yet: trunkline accounts create --name <name> --email <address>\n',
    );
  });

  test('create sends what is given and no more', async () => {
    api.answer('POST /operator/v1/accounts', { status: 201, body: ACME });
    expect((await cli('accounts create --name Acme --email ops@acme.example')).stdout).toBe(
      [
        'id            0b9f5c52-6f0e-4a57-9d1d-6a3a8f6f0c11',
        'tenant_id     TJ5E2A90C4',
        'name          Acme',
        'email         ops@acme.example',
        'status        active',
        'billing_mode  postpaid',
        'currency      USD',
        'base_limit    10',
        'created_at    2026-11-20T09:00:00.000Z',
        '',
        'Next, its first key: trunkline keys create 0b9f5c52-6f0e-4a57-9d1d-6a3a8f6f0c11',
        '',
      ].join('\n'),
    );
    await cli(
      'accounts create --name Acme --email a@b.example --billing-mode postpaid --currency EUR --base-limit 25',
    );
    expect(api.requests.map(({ body }) => JSON.parse(body) as unknown)).toEqual([
      { name: 'Acme', email: 'ops@acme.example' },
      { name: 'Acme', email: 'a@b.example', billing_mode: 'postpaid', currency: 'EUR', base_limit: 25 },
    ]);
    expect(api.requests[0]).toMatchObject({ authorization: BEARER, contentType: 'application/json' });
  });

  test('show', async () => {
    api.answer(`GET ${ACCOUNT}`, { body: { ...ACME, name: null } });
    expect((await cli(`accounts show ${ACME.id}`)).stdout).toContain('\nname          -\n');
  });

  test('suspend and resume set the status', async () => {
    api.answer(`PATCH ${ACCOUNT}`, { body: { ...ACME, status: 'suspended' } });
    expect((await cli(`accounts suspend ${ACME.id}`)).stdout).toBe(
      `Account Acme (${ACME.id}) is suspended: its keys are refused within a second.\n`,
    );
    api.answer(`PATCH ${ACCOUNT}`, { body: ACME });
    expect((await cli(`accounts resume ${ACME.id}`)).stdout).toBe(
      `Account Acme (${ACME.id}) is active: its keys work again within a second.\n`,
    );
    expect(api.requests.map(({ body }) => body)).toEqual(['{"status":"suspended"}', '{"status":"active"}']);
  });

  test('update sends the changes', async () => {
    api.answer(`PATCH ${ACCOUNT}`, { body: ACME });
    const line = `accounts update ${ACME.id} --name Z --email z@z.example --billing-mode prepaid --base-limit 0 --status active`;
    expect((await cli(line)).status).toBe(0);
    expect(JSON.parse(api.requests[0]?.body ?? '')).toEqual({
      name: 'Z',
      email: 'z@z.example',
      billing_mode: 'prepaid',
      base_limit: 0,
      status: 'active',
    });
  });

  test('update of nothing is a usage error', async () => {
    const { status, stderr } = await cli(`accounts update ${ACME.id}`);
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr:
        'error: nothing to change: give at least one of --name, --email, --billing-mode, --base-limit, --status\n',
    });
    expect(api.requests).toEqual([]);
  });
});

describe('keys', () => {
  const key = { auth_id: 'TJ4F2A9C1E', account_id: ACME.id, created_at: ACME.created_at };
  const issued = { ...key, auth_token: '00112233445566778899aabbccddeeff' };

  test('list', async () => {
    api.answer(`GET ${ACCOUNT}/keys`, { body: { data: [key] } });
    expect((await cli(`keys list ${ACME.id}`)).stdout).toBe(
      'AUTH ID     CREATED\nTJ4F2A9C1E  2026-11-20T09:00:00.000Z\n',
    );
    api.answer(`GET ${ACCOUNT}/keys`, { body: { data: [] } });
    expect((await cli(`keys list ${ACME.id}`)).stdout).toBe(
      `No keys yet: trunkline keys create ${ACME.id}\n`,
    );
  });

  test.each([
    ['create', `keys create ${ACME.id}`, `POST ${ACCOUNT}/keys`, 201],
    ['rotate', 'keys rotate TJ4F2A9C1E', 'POST /operator/v1/keys/TJ4F2A9C1E/rotate', 200],
  ])('%s prints the token once, with a hint to store it', async (_name, line, request, status) => {
    api.answer(request, { status, body: issued });
    const { stdout } = await cli(line);
    expect(stdout).toContain('auth_token  00112233445566778899aabbccddeeff\n');
    expect(stdout.split(issued.auth_token)).toHaveLength(2);
    expect(stdout).toContain('The token is shown only this once: store it now.');
    expect(api.requests[0]).toMatchObject({ authorization: BEARER, body: '', contentType: undefined });
  });

  test('create with --json prints JSON only', async () => {
    api.answer(`POST ${ACCOUNT}/keys`, { status: 201, body: issued });
    expect(await cli(`keys create ${ACME.id} --json`)).toEqual({
      status: 0,
      stderr: '',
      stdout: `${JSON.stringify(issued)}\n`,
    });
  });

  test('revoke', async () => {
    api.answer('DELETE /operator/v1/keys/TJ4F2A9C1E', { status: 204 });
    expect((await cli('keys revoke TJ4F2A9C1E')).stdout).toBe(
      'Revoked TJ4F2A9C1E: it stops working within a second.\n',
    );
    expect((await cli('keys revoke TJ4F2A9C1E --json')).stdout).toBe('');
  });
});
