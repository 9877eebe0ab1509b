import dgram from 'node:dgram';
import net from 'node:net';

const WAIT_MS = 200;

/** True when something on loopback answers a SIP request over UDP. Written out by hand: it tests no code of ours. */
export function isAnsweringUdp(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = dgram.createSocket('udp4');
    let ended = false;
    const end = (answering: boolean): void => {
      if (ended) return;
      ended = true;
      clearTimeout(timer);
      socket.close();
      resolve(answering);
    };
    const timer = setTimeout(() => end(false), WAIT_MS);
    socket.once('message', () => end(true));
    socket.on('error', () => end(false));
    socket.connect(port, '127.0.0.1', () => {
      const mine = `127.0.0.1:${socket.address().port}`;
      const lines = [
        `OPTIONS sip:127.0.0.1:${port} SIP/2.0`,
        `Via: SIP/2.0/UDP ${mine};branch=z9hG4bKready${process.hrtime.bigint()};rport`,
        'Max-Forwards: 70',
        `From: <sip:ready@${mine}>;tag=ready`,
        `To: <sip:127.0.0.1:${port}>`,
        `Call-ID: ready-${process.hrtime.bigint()}`,
        'CSeq: 1 OPTIONS',
        'Content-Length: 0',
      ];
      socket.send(`${lines.join('\r\n')}\r\n\r\n`);
    });
  });
}

/** True when something on loopback accepts TCP connections. */
export function isAcceptingTcp(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1');
    socket.setTimeout(WAIT_MS, () => socket.destroy());
    let accepted = false;
    socket.once('connect', () => {
      accepted = true;
      socket.destroy();
    });
    socket.on('error', () => {});
    socket.once('close', () => resolve(accepted));
  });
}
