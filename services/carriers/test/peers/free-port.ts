import dgram from 'node:dgram';
import { once } from 'node:events';
import net from 'node:net';
import { randomInt } from 'node:crypto';

/**
 * A loopback port free for UDP and TCP. It lies below the range the kernel gives to clients (32768 up), so that no
 * outgoing connection takes it before the peer does.
 */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < 50; attempt++) {
    const port = randomInt(20_000, 32_000);
    if ((await isFreeForTcp(port)) && (await isFreeForUdp(port))) return port;
  }
  throw new Error('no free port between 20000 and 32000');
}

async function isFreeForTcp(port: number): Promise<boolean> {
  const server = net.createServer();
  try {
    await once(server.listen(port, '127.0.0.1'), 'listening');
    return true;
  } catch {
    return false;
  } finally {
    server.close();
  }
}

async function isFreeForUdp(port: number): Promise<boolean> {
  const socket = dgram.createSocket('udp4');
  try {
    socket.bind(port, '127.0.0.1');
    await once(socket, 'listening');
    return true;
  } catch {
    return false;
  } finally {
    socket.close();
  }
}
