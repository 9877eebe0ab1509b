import net from 'node:net';
import type { AddressInfo } from 'node:net';
import { AUTH_ID, AUTH_TOKEN, OPERATOR_TOKEN, runCli, settingsFor, type CliSetup } from './run-cli.js';
import { startScriptedApi, type ScriptedApi } from './scripted-api.js';

let api: ScriptedApi;
beforeAll(async () => {
  api = await startScriptedApi();
});
afterEach(() => api.reset());
afterAll(() => api.stop());

const cli = (line: string | string[], setup: CliSetup = {}) =>
  runCli(line, { env: settingsFor(api), ...setup });
const LIST = `GET /v1/account/${AUTH_ID}/carriers`;

describe('errors of the API', () => {
  test('code, message, every field and the request id', async () => {
    const details = [
      { field: 'name', message: 'name is required' },
      { field: 'sip_port', message: 'sip_port must be an integer' },
    ];
    const error = { code: 'VALIDATION_FAILED', message: 'name is required; …', details, request_id: 'req-1' };
    api.answer(LIST, { status: 400, body: { error } });
    const expected = {
      status: 1,
      stdout: '',
      stderr: [
        'VALIDATION_FAILED: name is required; …',
        '  name: name is required',
        '  sip_port: sip_port must be an integer',
        '  request id: req-1',
        '',
      ].join('\n'),
    };
    expect(await cli('carriers list')).toEqual(expected);
    expect(await cli('carriers list --json')).toEqual(expected);
  });

  test('the request id of the header, when the body has none', async () => {
    const error = { code: 'NOT_FOUND', message: 'There is no such carrier.' };
    api.answer(LIST, { status: 404, body: { error }, headers: { 'x-request-id': 'req-2' } });
    expect((await cli('carriers list')).stderr).toBe(
      'NOT_FOUND: There is no such carrier.\n  request id: req-2\n',
    );
  });

  test('where wrong credentials come from, and when to retry', async () => {
    api.answer(LIST, { status: 401, body: { error: { code: 'INVALID_CREDENTIALS', message: 'Wrong.' } } });
    expect((await cli('carriers list')).stderr).toBe(
      'INVALID_CREDENTIALS: Wrong.\n  the credentials come from the environment\n',
    );
    const error = { code: 'RATE_LIMITED', message: 'Too many requests.' };
    api.answer(LIST, { status: 429, body: { error }, headers: { 'retry-after': '7' } });
    expect((await cli('carriers list')).stderr).toBe('RATE_LIMITED: Too many requests.\n  retry after 7 s\n');
  });

  test('an error never shows a token or a password, nor control characters', async () => {
    const message = `${AUTH_TOKEN} ${OPERATOR_TOKEN} hunter22hunter \u001b[31m`;
    const body = {
      error: { code: 'ODD', message, details: [{ field: 'x', message }], request_id: AUTH_TOKEN },
    };
    api.answer(`PUT /v1/account/${AUTH_ID}/carriers/c1`, { status: 400, body });
    const { stderr } = await cli('carriers update c1 --auth-password hunter22hunter');
    expect(stderr).not.toContain(AUTH_TOKEN);
    expect(stderr).not.toContain('hunter22');
    expect(stderr).not.toContain('\u001b');
    api.answer('GET /operator/v1/accounts', { status: 400, body });
    expect((await cli('accounts list')).stderr).not.toContain(OPERATOR_TOKEN);
  });
});

describe('no answer of Trunkline', () => {
  test('nobody listens', async () => {
    const closed = net.createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => closed.once('listening', resolve));
    const { port } = closed.address() as AddressInfo;
    await new Promise((resolve) => closed.close(resolve));
    const { status, stderr } = await cli('carriers list', {
      env: settingsFor({ url: `http://127.0.0.1:${port}` }),
    });
    expect(status).toBe(1);
    expect(stderr).toBe(
      `error: cannot connect to http://127.0.0.1:${port}: is Trunkline running? start it with: npx --yes pnpm@12.21.0 start\n`,
    );
  });

  test.each([
    ['another site', { status: 200, body: '<html>' }],
    ['a proxy', { status: 502, body: 'Bad Gateway' }],
    ['a redirect, which is not followed', { status: 302, body: '', headers: { location: '/elsewhere' } }],
    ['JSON of another API', { status: 500, body: { error: 'no' } }],
  ])('%s', async (_name, answer) => {
    api.answer(LIST, answer);
    const { status, stderr } = await cli('carriers list');
    expect(status).toBe(1);
    expect(stderr).toMatch(
      /^error: http:.* answered \d+ with [a-z/]+, not with JSON of Trunkline: is the address right\?/,
    );
    expect(api.requests).toHaveLength(1);
  });

  test.each([
    ['carriers list', LIST, { a: 1 }, 'a list'],
    ['carriers list', LIST, [7], 'a record'],
    ['carriers show c1', `${LIST}/c1`, [], 'a record'],
  ])('%s of another version: %s %p', async (line, request, body, what) => {
    api.answer(request, { body });
    expect(await cli(line)).toEqual({
      status: 1,
      stdout: '',
      stderr: `error: the answer is not ${what}: are this command line and the platform of one version?\n`,
    });
  });
});

describe('usage errors have status 2 and ask nothing of the API', () => {
  test.each([
    ['no command', []],
    ['unknown command', ['frobnicate']],
    ['unknown subcommand', ['carriers', 'frobnicate']],
    ['unknown option', ['carriers', 'list', '--frobnicate']],
    ['missing option', ['carriers', 'create']],
    ['missing argument', ['carriers', 'show']],
    ['one argument too many', ['carriers', 'show', 'a', 'b']],
    ['not a choice', ['carriers', 'create', '--name', 'a', '--transport', 'sctp']],
    ['not an integer', ['accounts', 'list', '--page', '1.5']],
    ['not a number', ['carriers', 'routes', 'add', 'c1', '--prefix', '+', '--rate', '1e3']],
    ['an empty id', ['carriers', 'delete', '']],
    ['an id that climbs', ['accounts', 'show', '..']],
    ['an id with a path', ['carriers', 'routes', 'remove', 'c1', 'r1/../r2']],
  ])('%s', async (_name, line) => {
    const { status, stdout, stderr } = await cli(line);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).not.toBe('');
    expect(api.requests).toEqual([]);
  });

  test('a mistyped option is not repeated with its value', async () => {
    const { stderr } = await cli('carriers update c1 --auth-pasword=hunter22');
    expect(stderr).toBe("error: unknown option '--auth-pasword=…'\n");
  });
});

describe('help and version', () => {
  test.each([['--help'], ['help'], ['carriers --help'], ['carriers routes add --help']])(
    '%s',
    async (line) => {
      const { status, stdout, stderr } = await cli(line);
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
      expect(stdout).toMatch(/^Usage: trunkline /);
      expect(stdout).toContain('--json');
    },
  );

  test('--version', async () => {
    expect(await cli('--version')).toMatchObject({ status: 0, stdout: '0.1.0\n' });
  });
});

describe('colour', () => {
  const isColoured = async (setup: CliSetup) =>
    (await cli('carriers list', setup)).stdout.includes('\u001b[');
  beforeEach(() => api.answer(LIST, { body: [{ id: 'c1', status: 'active' }] }));

  test('only on a terminal that wants it', async () => {
    expect(await isColoured({})).toBe(false);
    expect(await isColoured({ isTerminal: true })).toBe(true);
    expect(await isColoured({ isTerminal: true, env: { ...settingsFor(api), NO_COLOR: '1' } })).toBe(false);
    expect(await isColoured({ isTerminal: true, env: { ...settingsFor(api), TERM: 'dumb' } })).toBe(false);
  });

  test('the columns stay in line', async () => {
    const plain = (await cli('carriers list')).stdout;
    const coloured = (await cli('carriers list', { isTerminal: true })).stdout;
    const bare = coloured.replace(/\u001b\[\d+m/g, '');
    expect(bare.split('\n').map((line) => line.trimEnd())).toEqual(plain.split('\n'));
  });
});
