import fs from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import net from 'node:net';
import path from 'node:path';

/** Self-signed, for tests only; no client trusts it. */
const tls = path.resolve(__dirname, '../../../packages/outbound-http/test/tls');

export interface ReceivedRequest {
  url: string;
  headers: http.IncomingHttpHeaders;
  rawHeaders: string[];
  body: Buffer;
  at: number;
}

/** A real listener on loopback. */
export interface Receiver {
  url: string;
  requests: ReceivedRequest[];
  connections: number;
  /** Requests that have come and are not answered yet, and the most there ever were. */
  open: number;
  mostOpen: number;
  /** What the next requests get. */
  answer(with_: Answer): void;
  close(): Promise<void>;
}

type Answer = number | http.RequestListener;

export async function startReceiver(
  first: Answer = 200,
  scheme: 'http' | 'https' = 'http',
): Promise<Receiver> {
  let answer = first;
  const listener: http.RequestListener = (request, response) => {
    receiver.open += 1;
    receiver.mostOpen = Math.max(receiver.mostOpen, receiver.open);
    response.on('close', () => (receiver.open -= 1));
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { url = '', headers, rawHeaders } = request;
      receiver.requests.push({ url, headers, rawHeaders, body: Buffer.concat(chunks), at: Date.now() });
      if (typeof answer === 'number') response.writeHead(answer).end('answered');
      else answer(request, response);
    });
  };
  const server =
    scheme === 'http'
      ? http.createServer(listener)
      : https.createServer(
          {
            key: fs.readFileSync(path.join(tls, 'key.pem')),
            cert: fs.readFileSync(path.join(tls, 'certificate.pem')),
          },
          listener,
        );
  const { port, close } = await listen(server, () => (receiver.connections += 1));
  const receiver: Receiver = {
    url: `${scheme}://127.0.0.1:${port}/hook`,
    requests: [],
    connections: 0,
    open: 0,
    mostOpen: 0,
    answer: (with_) => (answer = with_),
    close,
  };
  return receiver;
}

/** Speaks whatever `onConnection` writes. */
export async function startRawReceiver(
  onConnection: (socket: net.Socket) => void,
  scheme: 'http' | 'https' = 'http',
): Promise<Pick<Receiver, 'url' | 'close'>> {
  const { port, close } = await listen(net.createServer(onConnection), () => undefined);
  return { url: `${scheme}://127.0.0.1:${port}/hook`, close };
}

async function listen(server: net.Server, onConnection: () => void) {
  const sockets = new Set<net.Socket>();
  server.on('connection', (socket: net.Socket) => {
    onConnection();
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as net.AddressInfo).port,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
