import net from 'node:net';
import { startGateway, type GatewayUnderTest } from './gateway-harness.js';

let gateway: GatewayUnderTest;
let authId: string;
beforeAll(async () => {
  gateway = await startGateway();
  authId = gateway.addKey('TJ0000000A');
});
afterAll(() => gateway.stop());

const post = (
  body: string | undefined,
  headers: Record<string, string> = { 'content-type': 'application/json' },
) => gateway.get(authId, '/v1/things', { method: 'POST', headers, ...(body !== undefined && { body }) });
const code = async (response: Response) =>
  ((await response.json()) as { error: { code: string } }).error.code;

describe('paths and methods', () => {
  test.each([
    '/',
    '/v1',
    '/v1/nothing',
    '/v1/things/',
    '//v1/things',
    '/v1//things',
    '/V1/things',
    '/v1/things/1/2',
    '/internal',
    '/metrics',
    '/healthz',
  ])('%s is 404 NOT_FOUND', async (path) => {
    const response = await gateway.get(authId, path);
    expect(response.status).toBe(404);
    expect(await code(response)).toBe('NOT_FOUND');
  });

  test.each([
    ['PUT', '/v1/things', 'GET, HEAD, POST'],
    ['DELETE', '/v1/things', 'GET, HEAD, POST'],
    ['GET', '/v1/things/7', 'DELETE'],
    ['OPTIONS', '/v1/things', 'GET, HEAD, POST'],
  ])('%s %s is 405 and allows %s', async (method, path, allow) => {
    const response = await gateway.get(authId, path, { method });
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe(allow);
    expect(await code(response)).toBe('METHOD_NOT_ALLOWED');
  });

  test('HEAD answers as GET does, without a body', async () => {
    const response = await gateway.get(authId, '/v1/things', { method: 'HEAD' });
    expect(response.status).toBe(200);
    expect(await response.text()).toBe('');
  });

  test('204 has no body', async () => {
    const response = await gateway.get(authId, '/v1/things/7', { method: 'DELETE' });
    expect(response.status).toBe(204);
    expect(await response.text()).toBe('');
  });

  test('path parameters arrive as they were sent', async () => {
    const response = await gateway.get(authId, `/v1/account/${authId}/things/a%2Fb%20%2B`);
    expect(await response.json()).toEqual({ auth_id: authId, id: 'a/b +' });
  });
});

describe('bodies', () => {
  test('a JSON body streams through', async () => {
    const response = await post(JSON.stringify({ name: 'ü'.repeat(200_000) }));
    expect(response.status).toBe(201);
    expect(((await response.json()) as { name: string }).name).toHaveLength(200_000);
  });

  test('a chunked body is taken as well', async () => {
    const chunks = ['{"na', 'me":"x"}'];
    const body = new ReadableStream({
      pull: (controller) => {
        const chunk = chunks.shift();
        if (chunk) controller.enqueue(Buffer.from(chunk));
        else controller.close();
      },
    });
    const response = await gateway.get(authId, '/v1/things', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      duplex: 'half',
    } as RequestInit);
    expect(response.status).toBe(201);
  });

  test('exactly 1 MiB is taken, one byte more is 413', async () => {
    const shell = JSON.stringify({ name: '' }).length;
    expect((await post(JSON.stringify({ name: 'x'.repeat(1_048_576 - shell) }))).status).toBe(201);
    const response = await post(JSON.stringify({ name: 'x'.repeat(1_048_577 - shell) }));
    expect(response.status).toBe(413);
    expect(await code(response)).toBe('PAYLOAD_TOO_LARGE');
  });

  test('a chunked body over 1 MiB is 413 as well, and nothing of it reaches the service', async () => {
    const before = gateway.backend.created;
    let sent = 0;
    const body = new ReadableStream({
      pull: (controller) => {
        if ((sent += 65_536) > 2_000_000) controller.close();
        else controller.enqueue(Buffer.alloc(65_536, 32));
      },
    });
    const response = await gateway.get(authId, '/v1/things', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      duplex: 'half',
    } as RequestInit);
    expect(response.status).toBe(413);
    expect(gateway.backend.created).toBe(before);
  });

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/jsonp',
    'multipart/form-data',
    '',
  ])('content type %p is 415', async (type) => {
    const response = await post('{"name":"x"}', { 'content-type': type });
    expect(response.status).toBe(415);
    expect(await code(response)).toBe('UNSUPPORTED_MEDIA_TYPE');
  });

  test.each(['application/json; charset=utf-8', 'Application/JSON'])(
    'content type %p is taken',
    async (type) => {
      expect((await post('{"name":"x"}', { 'content-type': type })).status).toBe(201);
    },
  );

  test('broken JSON and a missing body are 400 by the service', async () => {
    expect((await post('{')).status).toBe(400);
    expect((await post(undefined, {})).status).toBe(400);
  });
});

describe('request ids', () => {
  const ask = (id: string) => gateway.get(authId, '/v1/things', { headers: { 'x-request-id': id } });

  test('a sane one is echoed and reaches the service', async () => {
    const response = await ask('my-request-7');
    expect(response.headers.get('x-request-id')).toBe('my-request-7');
    expect(await response.json()).toMatchObject({ requestId: 'my-request-7' });
  });

  test.each(['x'.repeat(129), 'has blank', 'ümlaut'])('%p is replaced by a new one', async (id) => {
    const response = await ask(Buffer.from(id).toString('latin1'));
    expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('every error names it, and the log line too', async () => {
    const response = await gateway.get(authId, '/v1/nothing', { headers: { 'x-request-id': 'find-me' } });
    expect(await response.json()).toMatchObject({ error: { request_id: 'find-me' } });
    expect(gateway.logged()).toContain('"request_id":"find-me"');
  });
});

describe('pages without credentials', () => {
  test.each(['/v1/openapi.json', '/docs', '/docs/swagger-ui.css', '/docs/swagger-ui-bundle.js'])(
    '%s is served',
    async (path) => {
      const response = await fetch(`${gateway.url}${path}`);
      expect(response.status).toBe(200);
      expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    },
  );

  test('the document lists the public operations and no operator operation', async () => {
    const document = (await (await fetch(`${gateway.url}/v1/openapi.json`)).json()) as {
      openapi: string;
      paths: object;
    };
    expect(document.openapi).toBe('3.1.0');
    expect(Object.keys(document.paths)).toEqual([
      '/v1/things',
      '/v1/account/{auth_id}/things/{id}',
      '/v1/things/{id}',
      '/v1/big',
      '/v1/slow',
    ]);
  });

  test('the page loads nothing from elsewhere', async () => {
    const html = await (await fetch(`${gateway.url}/docs`)).text();
    expect(html).not.toMatch(/https?:/);
  });
});

test('garbage on the socket is answered with 400 and harms nobody', async () => {
  const { port } = new URL(gateway.url);
  const answer = await new Promise<string>((resolve) => {
    let text = '';
    const socket = net.connect(Number(port), '127.0.0.1', () => socket.write('\0\0GET nonsense\r\n\r\n'));
    socket.on('data', (chunk) => (text += chunk.toString()));
    socket.on('close', () => resolve(text));
  });
  expect(answer).toMatch(/^HTTP\/1.1 400/);
  expect((await gateway.get(authId, '/v1/things')).status).toBe(200);
});

describe('the rate limit', () => {
  let limited: GatewayUnderTest;
  beforeAll(async () => {
    limited = await startGateway({ RATE_LIMIT_PER_SECOND: '5', RATE_LIMIT_BURST: '10' });
  });
  afterAll(() => limited.stop());

  test('a burst passes, then 429 with Retry-After; other keys are not concerned; it comes back with time', async () => {
    const [noisy, quiet] = [limited.addKey('TJ00000001'), limited.addKey('TJ00000002')];
    const answers = await Promise.all(Array.from({ length: 30 }, () => limited.get(noisy, '/v1/things')));
    const passed = answers.filter(({ status }) => status === 200);
    const refused = answers.filter(({ status }) => status === 429);
    expect(passed.length).toBeGreaterThanOrEqual(10);
    expect(passed.length).toBeLessThanOrEqual(16);
    expect(passed.length + refused.length).toBe(30);
    expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(refused[0]?.headers.get('ratelimit-limit')).toBe('10');
    expect(refused[0]?.headers.get('ratelimit-remaining')).toBe('0');
    expect((await limited.get(quiet, '/v1/things')).headers.get('ratelimit-remaining')).toBe('9');
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect((await limited.get(noisy, '/v1/things')).status).toBe(200);
  });

  test('every answer carries the limit, also of paths that do not exist: those count as well', async () => {
    const key = limited.addKey('TJ00000003');
    for (const [path, remaining] of [
      ['/v1/nothing', '9'],
      ['/v1/account/TJ00000001/things/7', '8'],
      ['/v1/things', '7'],
    ] as const) {
      expect((await limited.get(key, path)).headers.get('ratelimit-remaining')).toBe(remaining);
    }
  });
});
