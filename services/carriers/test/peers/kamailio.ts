import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { makeCertificates, type Certificates } from './certificates.js';
import { freePort } from './free-port.js';
import { isAcceptingTcp, isAnsweringUdp } from './is-answering.js';
import { startPeerProcess, type PeerProcess } from './peer-process.js';

export interface KamailioOptions {
  /** Free ports are picked for those left out; UDP and TCP may share one. */
  udpPort?: number;
  tcpPort?: number;
  tlsPort?: number;
}

interface Ports {
  udpPort: number;
  tcpPort: number;
  tlsPort: number;
}

export interface Kamailio extends Ports {
  /** PEM of the authority behind its TLS certificate: IP 127.0.0.1 and ::1, DNS localhost and sip.carrier.example. */
  ca: string;
  /** Ends the processes by pid; the ports refuse from then on. */
  stop: () => Promise<void>;
  /** Starts it again, stopped before or not, on the same ports with the same certificate. */
  restart: () => Promise<void>;
}

/** A real Kamailio on 127.0.0.1 that answers OPTIONS with 200 and everything else with 405, over UDP, TCP and TLS. */
export async function startKamailio(options: KamailioOptions = {}): Promise<Kamailio> {
  const certificates = await makeCertificates();
  const udpPort = options.udpPort ?? (await freePort());
  const tcpPort = options.tcpPort ?? udpPort;
  const tlsPort = options.tlsPort ?? (await freePort());
  const ports = { udpPort, tcpPort, tlsPort };

  let peer = await start(ports, certificates);
  return {
    ...ports,
    ca: certificates.ca,
    stop: () => peer.stop(),
    restart: async () => {
      await peer.stop();
      peer = await start(ports, certificates);
    },
  };
}

async function start(ports: Ports, certificates: Certificates): Promise<PeerProcess> {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'trunkline-kamailio-'));
  const write = (name: string, text: string): Promise<void> => fs.writeFile(path.join(folder, name), text);
  await write('kamailio.cfg', kamailioConfig(ports, folder));
  await write('certificate.pem', certificates.certificate);
  await write('key.pem', certificates.key);
  return startPeerProcess(
    'kamailio',
    ['-DD', '-E', '-w', folder, '-Y', folder, '-f', `${folder}/kamailio.cfg`],
    {
      folder,
      isReady: async () =>
        (await isAnsweringUdp(ports.udpPort)) &&
        (await isAcceptingTcp(ports.tcpPort)) &&
        (await isAcceptingTcp(ports.tlsPort)),
    },
  );
}

// One TCP worker: with more, 5.6 on OpenSSL 3 crashes under many TLS handshakes (kamailio issue 3791).
function kamailioConfig(ports: Ports, folder: string): string {
  return `#!KAMAILIO
debug=1
log_stderror=yes
children=2
tcp_children=1
auto_aliases=no
dns=no
rev_dns=no
enable_tls=yes
listen=udp:127.0.0.1:${ports.udpPort}
listen=tcp:127.0.0.1:${ports.tcpPort}
listen=tls:127.0.0.1:${ports.tlsPort}
loadmodule "tls.so"
loadmodule "tm.so"
loadmodule "sl.so"
loadmodule "pv.so"
modparam("tls", "tls_method", "TLSv1.2+")
modparam("tls", "certificate", "${folder}/certificate.pem")
modparam("tls", "private_key", "${folder}/key.pem")
request_route {
  if (method == "OPTIONS") { sl_send_reply("200", "OK"); exit; }
  sl_send_reply("405", "Method Not Allowed");
}
`;
}
