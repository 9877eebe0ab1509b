import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { AUTH_ID, AUTH_TOKEN, BASIC, runCli, settingsFor, type CliSetup } from './run-cli.js';
import { startScriptedApi, type ScriptedApi } from './scripted-api.js';

let api: ScriptedApi;
let root: string;
beforeAll(async () => {
  api = await startScriptedApi();
});
beforeEach(() => {
  root = fs.mkdtempSync(path.join(os.tmpdir(), 'trunkline-cli-'));
  api.answer(`GET /v1/account/${AUTH_ID}/carriers`, { body: [] });
});
afterEach(() => {
  api.reset();
  fs.rmSync(root, { recursive: true, force: true });
});
afterAll(() => api.stop());

const list = (setup: CliSetup, more: string[] = []) =>
  runCli(['carriers', 'list', ...more], { cwd: root, ...setup });

function write(name: string, text = envText(settingsFor(api))): string {
  const file = path.join(root, name);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, text);
  return file;
}

const envText = (values: Record<string, string>) =>
  Object.entries(values)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');

describe('where settings come from', () => {
  test('.data/demo.env in the directory, or above it', async () => {
    write('.data/demo.env');
    const deep = path.join(root, 'a/b');
    fs.mkdirSync(deep, { recursive: true });
    expect((await list({})).status).toBe(0);
    expect((await list({ cwd: deep })).status).toBe(0);
    expect(api.requests.map(({ authorization }) => authorization)).toEqual([BASIC, BASIC]);
  });

  test('the directory of TRUNKLINE_DATA_DIR', async () => {
    write('elsewhere/demo.env');
    expect((await list({})).status).toBe(1);
    expect((await list({ env: { TRUNKLINE_DATA_DIR: 'elsewhere' } })).status).toBe(0);
    expect((await list({ cwd: '/', env: { TRUNKLINE_DATA_DIR: path.join(root, 'elsewhere') } })).status).toBe(
      0,
    );
  });

  test('--env-file before .data/demo.env, with exports, quotes and comments', async () => {
    write('.data/demo.env', envText(settingsFor({ url: 'http://127.0.0.1:9' })));
    write(
      'my.env',
      `# mine\nexport TRUNKLINE_URL="${api.url}/"\nTRUNKLINE_AUTH_ID='${AUTH_ID}'\n\nTRUNKLINE_AUTH_TOKEN=${AUTH_TOKEN} # secret\n`,
    );
    expect((await list({}, ['--env-file', 'my.env'])).status).toBe(0);
    expect(api.requests).toMatchObject([{ path: `/v1/account/${AUTH_ID}/carriers`, authorization: BASIC }]);
  });

  test('the environment before any file', async () => {
    write('my.env', envText(settingsFor({ url: 'http://127.0.0.1:9' })));
    expect((await list({ env: settingsFor(api) }, ['--env-file', 'my.env'])).status).toBe(0);
  });

  test('an empty variable is none', async () => {
    write('.data/demo.env');
    expect((await list({ env: { TRUNKLINE_URL: '', TRUNKLINE_AUTH_TOKEN: '' } })).status).toBe(0);
  });

  test('a token of the environment does not go to an address of a file', async () => {
    write('.data/demo.env');
    const { status, stderr } = await list({ env: { TRUNKLINE_AUTH_TOKEN: AUTH_TOKEN } });
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr:
        'error: missing: TRUNKLINE_URL, TRUNKLINE_AUTH_ID; the environment sets TRUNKLINE_AUTH_TOKEN, and all of them have to come from one place\n',
    });
    expect(api.requests).toEqual([]);
  });

  test('the operator may come from another place than the account', async () => {
    write(
      '.data/demo.env',
      envText({ TRUNKLINE_OPERATOR_URL: api.url, TRUNKLINE_OPERATOR_TOKEN: 'op_file' }),
    );
    api.answer('GET /operator/v1/accounts', { body: { data: [] } });
    const { TRUNKLINE_URL, TRUNKLINE_AUTH_ID, TRUNKLINE_AUTH_TOKEN } = settingsFor(api);
    const env = { TRUNKLINE_URL, TRUNKLINE_AUTH_ID, TRUNKLINE_AUTH_TOKEN };
    expect((await runCli('accounts list', { cwd: root, env })).status).toBe(0);
    expect(api.requests[0]?.authorization).toBe('Bearer op_file');
  });

  test('credentials that are refused name their file', async () => {
    const file = write('.data/demo.env');
    api.answer(`GET /v1/account/${AUTH_ID}/carriers`, {
      status: 401,
      body: { error: { code: 'INVALID_CREDENTIALS', message: 'Wrong.' } },
    });
    expect((await list({})).stderr).toContain(`  the credentials come from ${file}\n`);
  });
});

describe('settings that do not do', () => {
  test('none at all: what to do', async () => {
    expect(await list({})).toEqual({
      status: 1,
      stdout: '',
      stderr: [
        'error: no address and credentials of the account found. Do one of these:',
        '  start the platform here, which writes .data/demo.env:  npx --yes pnpm@12.21.0 start',
        '  name a file that has them:                             --env-file <file>',
        '  set them in the environment:                           TRUNKLINE_URL, TRUNKLINE_AUTH_ID, TRUNKLINE_AUTH_TOKEN',
        '',
      ].join('\n'),
    });
    expect((await runCli('accounts list', { cwd: root })).stderr).toContain(
      'TRUNKLINE_OPERATOR_URL, TRUNKLINE_OPERATOR_TOKEN\n',
    );
  });

  test('a file that is not there', async () => {
    expect(await list({}, ['--env-file', 'no.env'])).toMatchObject({
      status: 1,
      stderr: `error: cannot read ${path.join(root, 'no.env')}: there is no such file\n`,
    });
  });

  test.each([
    ['TRUNKLINE_URL', '127.0.0.1:8080'],
    ['TRUNKLINE_URL', 'ftp://127.0.0.1'],
    ['TRUNKLINE_URL', 'http://me:hunter22@127.0.0.1'],
    ['TRUNKLINE_AUTH_ID', 'TJ/../hunter22'],
    ['TRUNKLINE_AUTH_TOKEN', 'hunter22\nhunter22'],
  ])('%s = %p is refused, and not repeated', async (name, value) => {
    const { status, stderr } = await list({ env: { ...settingsFor(api), [name]: value } });
    expect(status).toBe(1);
    expect(stderr).toMatch(new RegExp(`^error: ${name} in the environment `));
    expect(stderr).not.toContain('hunter22');
  });
});
