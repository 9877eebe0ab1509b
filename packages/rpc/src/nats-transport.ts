import { connect, errors, type Msg, type NatsConnection } from '@nats-io/transport-node';
import { settle, TransportError, type RpcTransport } from './transport.js';

export interface NatsOptions {
  /** Comma-separated server addresses, such as `nats://127.0.0.1:4222`. */
  servers: string;
  /** Shown in the server's connection list. */
  name: string;
  user?: string;
  password?: string;
  token?: string;
}

/** Connects, and keeps reconnecting for ever; while disconnected requests fail at once instead of queueing. */
export async function connectNatsTransport(options: NatsOptions): Promise<RpcTransport> {
  const connection = await connect({
    servers: options.servers.split(',').map((server) => server.trim()),
    name: options.name,
    ...(options.user !== undefined && { user: options.user }),
    ...(options.password !== undefined && { pass: options.password }),
    ...(options.token !== undefined && { token: options.token }),
    waitOnFirstConnect: true,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 250,
    reconnectJitter: 250,
    pingInterval: 5_000,
    maxPingOut: 2,
  });
  let connected = true;
  const closing = watchStatus(connection, (state) => (connected = state));
  const running = new Set<Promise<unknown>>();

  return {
    async request(subject, payload, timeoutMs) {
      if (!connected) throw new TransportError('disconnected', subject);
      try {
        const message = await connection.request(subject, payload, { timeout: timeoutMs });
        return message.string();
      } catch (error) {
        throw new TransportError(reasonOf(error), subject);
      }
    },
    respond(subject, queueGroup, handler) {
      const answer = async (message: Msg) => message.respond(await handler(message.string()));
      connection.subscribe(subject, {
        queue: queueGroup,
        callback: (error, message) => {
          if (error) return;
          const work = answer(message).catch(() => undefined); // disconnected meanwhile: the caller has timed out
          running.add(work);
          void work.finally(() => running.delete(work));
        },
      });
    },
    publish(subject, payload) {
      if (connected) connection.publish(subject, payload);
    },
    subscribe(subject, listener) {
      connection.subscribe(subject, {
        callback: (error, message) => void (error ?? listener(message.string())),
      });
    },
    isConnected: () => connected,
    async close() {
      if (connection.isClosed()) return;
      await settle(running);
      if (connected) await connection.drain();
      else await connection.close();
      await closing;
    },
  };
}

function reasonOf(error: unknown): TransportError['reason'] {
  if (error instanceof errors.NoRespondersError) return 'no_responders';
  if (error instanceof errors.RequestError && error.isNoResponders()) return 'no_responders';
  if (error instanceof errors.TimeoutError) return 'timeout';
  return 'disconnected';
}

async function watchStatus(connection: NatsConnection, report: (connected: boolean) => void): Promise<void> {
  for await (const status of connection.status()) {
    if (status.type === 'disconnect' || status.type === 'close') report(false);
    if (status.type === 'reconnect') report(true);
  }
}
