import dgram from 'node:dgram';
import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import tls from 'node:tls';

/** Request headers that a response copies (RFC 3261 8.2.6.2). */
const copiedHeaders = ['Via', 'From', 'To', 'Call-ID', 'CSeq'];

/** A response to `request`; `change` may bend its text, for peers that misbehave. */
export function answerTo(
  request: string,
  status: string,
  change: (text: string) => string = (text) => text,
): string {
  const copied = request.split('\r\n').filter((line) => copiedHeaders.includes(line.split(':')[0] ?? ''));
  return change([`SIP/2.0 ${status}`, ...copied, 'Content-Length: 0', '', ''].join('\r\n'));
}

export interface ScriptedPeer {
  port: number;
  /** Everything received so far, with the time by performance.now(). */
  received: { text: string; at: number }[];
  close: () => Promise<void>;
}

export interface ScriptedUdpPeer extends ScriptedPeer {
  /** Sends to a loopback port without having been asked. */
  send: (text: string, port: number) => void;
}

/** A UDP peer that does what `onRequest` says for every datagram; `count` is 1 for the first. */
export async function startUdpPeer(
  onRequest: (request: string, reply: (text: string) => void, count: number) => unknown,
  address = '127.0.0.1',
): Promise<ScriptedUdpPeer> {
  const socket = dgram.createSocket({ type: net.isIPv6(address) ? 'udp6' : 'udp4', recvBufferSize: 1 << 22 });
  const received: ScriptedPeer['received'] = [];
  socket.on('message', (message, from) => {
    received.push({ text: message.toString(), at: performance.now() });
    const reply = (text: string): void => socket.send(text, from.port, from.address);
    onRequest(message.toString(), reply, received.length);
  });
  socket.bind(0, address);
  await once(socket, 'listening');
  return {
    port: socket.address().port,
    received,
    send: (text, port) => socket.send(text, port, address),
    close: async () => {
      socket.close();
      await once(socket, 'close');
    },
  };
}

/** A TCP peer (or, given a TLS server, a TLS peer) that does what `onRequest` says for every chunk it reads. */
export async function startTcpPeer(
  onRequest: (request: string, connection: net.Socket) => unknown,
  server: net.Server = net.createServer(),
): Promise<ScriptedPeer> {
  const connections = new Set<net.Socket>();
  const received: ScriptedPeer['received'] = [];
  server.on('connection', (connection) => {
    connections.add(connection);
    connection.on('error', () => {});
    connection.once('close', () => connections.delete(connection));
  });
  const requests = (connection: net.Socket): void => {
    connection.on('error', () => {});
    connection.on('data', (chunk: Buffer) => {
      received.push({ text: chunk.toString(), at: performance.now() });
      onRequest(chunk.toString(), connection);
    });
  };
  server.on(server instanceof tls.Server ? 'secureConnection' : 'connection', requests);
  server.listen({ port: 0, host: '127.0.0.1', backlog: 2_048 }); // room for a burst of connections
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    received,
    close: async () => {
      server.close();
      for (const connection of connections) connection.destroy();
      await once(server, 'close');
    },
  };
}
