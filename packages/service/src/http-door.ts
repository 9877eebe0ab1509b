import http, { type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One listening port. */
export interface Door {
  url: string;
  /** Takes no new connection, lets running requests finish (at most `graceMs`), closes idle keep-alive connections. */
  close(graceMs: number): Promise<void>;
}

/** Slow clients: the whole header within 20 s, the whole request within 60 s, an idle connection lives 65 s. */
const SERVER_OPTIONS = {
  headersTimeout: 20_000,
  requestTimeout: 60_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 5_000,
};

export async function openDoor(listener: RequestListener, host: string, port: number): Promise<Door> {
  const server = http.createServer(SERVER_OPTIONS, listener);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) =>
      reject(
        cause.code === 'EADDRINUSE'
          ? new Error(
              `Port ${port} on ${host} is in use by another program. Stop it, or choose another port (PORT, OPERATOR_PORT).`,
              { cause },
            )
          : cause,
      ),
    );
    server.listen({ host, port, backlog: 1_024 }, resolve);
  });
  const address = server.address() as AddressInfo;
  const shown = address.address === '0.0.0.0' || address.address === '::' ? '127.0.0.1' : address.address;
  return {
    url: `http://${shown}:${address.port}`,
    async close(graceMs) {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeIdleConnections();
      const late = setTimeout(() => server.closeAllConnections(), graceMs);
      await closed;
      clearTimeout(late);
    },
  };
}
