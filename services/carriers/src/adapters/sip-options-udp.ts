import dgram from 'node:dgram';
import net from 'node:net';
import { retransmitDelay } from '../domain/sip/retransmit-delay.js';
import type { CloseTransport, Exchange, OptionsTarget } from './sip-options.js';
import { describeFailure } from './sip-options-failure.js';

/**
 * The exchange over UDP, retransmitted by Timer E until it is closed (RFC 3261 17.1.2.2). The socket is connected: the
 * kernel drops what other addresses send, and an ICMP port unreachable comes back as an error at once.
 */
export function openUdp(target: OptionsTarget, exchange: Exchange): CloseTransport {
  const socket = dgram.createSocket(net.isIPv6(target.address) ? 'udp6' : 'udp4');
  let closed = false;
  let proceeding = false;
  let retransmission: NodeJS.Timeout | undefined;

  const close = (): void => {
    if (closed) return;
    closed = true;
    clearTimeout(retransmission);
    socket.close();
  };
  const fail = (error: unknown): void => {
    if (!closed) exchange.onFailure(describeFailure(error, target));
  };
  const transmit = (request: Buffer, previousMs?: number): void => {
    const delayMs = retransmitDelay(previousMs, proceeding);
    retransmission = setTimeout(() => transmit(request, delayMs), delayMs);
    socket.send(request, (error) => {
      if (error) fail(error);
    });
  };

  socket.on('error', fail);
  socket.on('message', (message) => {
    if (!closed && exchange.onMessage(message) === 'provisional') proceeding = true;
  });
  try {
    socket.connect(target.port, target.address, (error?: Error) => {
      if (closed) return;
      if (error) return fail(error);
      try {
        const local = socket.address();
        transmit(exchange.request(local.address, local.port));
      } catch (unusable) {
        fail(unusable);
      }
    });
  } catch (invalidPort) {
    close();
    throw invalidPort;
  }
  return close;
}
