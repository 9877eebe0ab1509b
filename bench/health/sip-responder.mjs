// A UDP peer in a thread of its own that answers every SIP request with 200.
import dgram from 'node:dgram';
import { parentPort } from 'node:worker_threads';

const socket = dgram.createSocket({ type: 'udp4', recvBufferSize: 1 << 22 });
socket.on('message', (message, from) => {
  const kept = message
    .toString()
    .split('\r\n')
    .filter((line) => /^(Via|From|To|Call-ID|CSeq):/i.test(line));
  const answer = ['SIP/2.0 200 OK', ...kept, 'Content-Length: 0'].join('\r\n');
  socket.send(`${answer}\r\n\r\n`, from.port, from.address);
});
socket.bind(0, '127.0.0.1', () => parentPort.postMessage(socket.address().port));
