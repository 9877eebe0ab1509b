import net from 'node:net';
import type { AddressInfo } from 'node:net';
import { createApiClient } from '../src/api-client.js';
import { ConnectionError } from '../src/cli-error.js';

let stop: () => Promise<unknown> = () => Promise.resolve();
afterEach(() => stop());

/** A server that does this with each connection; its address. */
async function startServer(onConnection: (socket: net.Socket) => void): Promise<string> {
  const sockets = new Set<net.Socket>();
  const server = net.createServer((socket) => {
    sockets.add(socket);
    onConnection(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  stop = () => {
    for (const socket of sockets) socket.destroy();
    return new Promise((resolve) => server.close(resolve));
  };
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function problemOf(url: string): Promise<unknown> {
  const api = createApiClient({
    url,
    authorization: 'Bearer x',
    source: 'a test',
    userAgent: 'test',
    timeoutMs: 200,
  });
  return api.send('GET', '/').then(
    () => 'none',
    (error: unknown) => error instanceof ConnectionError && error.message,
  );
}

test('a server that never answers is given up', async () => {
  const url = await startServer(() => undefined);
  expect(await problemOf(url)).toBe(`${url} did not answer within 0.2 s`);
});

test('an answer that stops in the middle is given up too', async () => {
  const url = await startServer((socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{"a"'));
  expect(await problemOf(url)).toBe(`${url} did not answer within 0.2 s`);
});

test('a connection that breaks', async () => {
  const url = await startServer((socket) => socket.once('data', () => socket.destroy()));
  expect(await problemOf(url)).toBe(`cannot speak with ${url}: other side closed`);
});
