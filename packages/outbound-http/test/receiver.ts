import fs from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import net from 'node:net';
import path from 'node:path';

/** Self-signed, for tests only, valid until 2125; names and addresses: see `openssl x509 -ext subjectAltName`. */
export const testCertificate = fs.readFileSync(path.join(__dirname, 'tls', 'certificate.pem'), 'utf8');
const testKey = fs.readFileSync(path.join(__dirname, 'tls', 'key.pem'), 'utf8');

/** A real listener that counts what reaches it. */
export type Receiver = {
  port: number;
  connections: number;
  bytesReceived: number;
  requests: { url: string; headers: http.IncomingHttpHeaders; body: string }[];
  close(): Promise<void>;
};

const answerOk: http.RequestListener = (_request, response) => void response.end('ok');

/** An http or https receiver; `handler` writes the answer. Listens on every address of the machine unless told otherwise. */
export async function startReceiver(
  options: { scheme: 'http' | 'https'; handler?: http.RequestListener } & net.ListenOptions,
): Promise<Receiver> {
  const { scheme, handler = answerOk, ...listen } = options;
  const recorded: http.RequestListener = (request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      receiver.requests.push({ url: request.url ?? '', headers: request.headers, body });
      handler(request, response);
    });
  };
  const server =
    scheme === 'http'
      ? http.createServer(recorded)
      : https.createServer({ key: testKey, cert: testCertificate }, recorded);
  const receiver = await listenAndCount(server, listen);
  return receiver;
}

/** A receiver that speaks whatever `onConnection` writes. */
export async function startRawReceiver(onConnection: (socket: net.Socket) => void): Promise<Receiver> {
  return listenAndCount(net.createServer(onConnection), {});
}

async function listenAndCount(server: net.Server, listen: net.ListenOptions): Promise<Receiver> {
  const sockets = new Set<net.Socket>();
  const receiver: Receiver = {
    port: 0,
    connections: 0,
    get bytesReceived() {
      return [...sockets].reduce((sum, socket) => sum + socket.bytesRead, 0);
    },
    requests: [],
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  server.on('connection', (socket: net.Socket) => {
    receiver.connections += 1;
    sockets.add(socket);
    socket.on('error', () => {});
  });
  await new Promise<void>((resolve) => server.listen({ port: 0, ...listen }, resolve));
  receiver.port = (server.address() as net.AddressInfo).port;
  return receiver;
}
