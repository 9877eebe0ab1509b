import http from 'node:http';
import net from 'node:net';
import { eventually } from '@trunkline/testing';
import { basic, startGateway, TOKEN, type GatewayUnderTest } from './gateway-harness.js';

let gateway: GatewayUnderTest;
let authId: string;
beforeEach(async () => {
  gateway = await startGateway();
  authId = gateway.addKey('TJ0000000A');
});
afterEach(() => gateway.stop());

const error = async (response: Response) => ((await response.json()) as { error: { code: string } }).error;

test('a service that is down is 503 with Retry-After, and the breaker spares it until it is back', async () => {
  await gateway.backend.stop();
  for (let i = 0; i < 15; i++) {
    const response = await gateway.get(authId, '/v1/things');
    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).toBe('1');
    expect(await error(response)).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  }
  expect(gateway.deps.upstream('things').isOpen).toBe(true);
  const posted = await gateway.get(authId, '/v1/things', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"name":"x"}',
  });
  expect(posted.status).toBe(503);

  let reached = 0;
  const back = http.createServer((_request, response) => {
    reached++;
    response.end('{}');
  });
  await new Promise<void>((resolve) =>
    back.listen(Number(new URL(gateway.backend.url).port), '127.0.0.1', resolve),
  );
  expect((await gateway.get(authId, '/v1/things')).status).toBe(503);
  expect(reached).toBe(0);
  await eventually(async () => expect((await gateway.get(authId, '/v1/things')).status).toBe(200), 3_000);
  back.closeAllConnections();
  await new Promise((resolve) => back.close(resolve));
});

test('a service that does not begin to answer is 503 after the time-out', async () => {
  const started = performance.now();
  const response = await gateway.get(authId, '/v1/slow');
  expect(response.status).toBe(503);
  expect(performance.now() - started).toBeGreaterThan(900);
  expect(performance.now() - started).toBeLessThan(3_000);
});

test('a refused request says nothing against the service: 50 times 404 leave the breaker closed', async () => {
  for (let i = 0; i < 50; i++)
    await gateway.get(authId, '/v1/things', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    });
  expect(gateway.deps.upstream('things').isOpen).toBe(false);
});

test('clients that go away abort their request and leave the breaker closed', async () => {
  for (let i = 0; i < 30; i++) {
    const abort = new AbortController();
    const request = gateway.get(authId, '/v1/slow', { signal: abort.signal }).catch(() => undefined);
    setTimeout(() => abort.abort(), 5);
    await request;
  }
  expect(gateway.deps.upstream('things').isOpen).toBe(false);
  expect((await gateway.get(authId, '/v1/things')).status).toBe(200);
});

test('a client that reads slowly holds the answer back instead of filling the memory of the gateway', async () => {
  const { port } = new URL(gateway.url);
  const socket = net.connect(Number(port), '127.0.0.1');
  socket.pause();
  socket.write(
    `GET /v1/big HTTP/1.1\r\nHost: x\r\nAuthorization: ${basic(authId, TOKEN)}\r\nConnection: close\r\n\r\n`,
  );
  await new Promise((resolve) => setTimeout(resolve, 300));
  let received = 0;
  await new Promise<void>((resolve) => {
    socket.on('data', (chunk) => (received += chunk.length)).on('close', () => resolve());
    socket.resume();
  });
  expect(received).toBeGreaterThan(3_000_000);
});

test('an answer that breaks off is cut, never completed', async () => {
  await gateway.backend.stop();
  const half = net.createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf');
      setTimeout(() => socket.destroy(), 50);
    });
  });
  await new Promise<void>((resolve) =>
    half.listen(Number(new URL(gateway.backend.url).port), '127.0.0.1', resolve),
  );
  const response = await gateway.get(authId, '/v1/things');
  await expect(response.text()).rejects.toThrow();
  await new Promise((resolve) => half.close(resolve));
});

test('the accounts service is gone: 503 after a second at most, never a way in', async () => {
  const other = gateway.addKey('TJ0000000B');
  expect((await gateway.get(authId, '/v1/things')).status).toBe(200);
  await gateway.transport.close();
  await eventually(async () => expect((await gateway.get(authId, '/v1/things')).status).toBe(503), 2_000);
  expect((await gateway.get(other, '/v1/things')).status).toBe(503);
  expect((await fetch(`${gateway.operatorUrl}/readyz`)).status).toBe(503);
});

test('connections to a service are reused', async () => {
  let connections = 0;
  await gateway.backend.stop();
  const counting = http
    .createServer((_request, response) => response.end('{}'))
    .on('connection', () => connections++);
  await new Promise<void>((resolve) =>
    counting.listen(Number(new URL(gateway.backend.url).port), '127.0.0.1', resolve),
  );
  for (let i = 0; i < 50; i++) await (await gateway.get(authId, '/v1/things')).text();
  expect(connections).toBeLessThanOrEqual(2);
  counting.closeAllConnections();
  await new Promise((resolve) => counting.close(resolve));
});
