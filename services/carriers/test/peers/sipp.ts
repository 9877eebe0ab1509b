import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { freePort } from './free-port.js';
import { isAcceptingTcp, isAnsweringUdp } from './is-answering.js';
import { startPeerProcess } from './peer-process.js';

export interface SippOptions {
  /** A free one is picked when left out. */
  port?: number;
  transport: 'udp' | 'tcp';
  /** The final answer to every OPTIONS, 200 to 699. */
  status: number;
}

export interface Sipp {
  port: number;
  stop: () => Promise<void>;
}

/** A real sipp on 127.0.0.1 that answers every OPTIONS with one status, until it is stopped. */
export async function startSipp({ port: wanted, transport, status }: SippOptions): Promise<Sipp> {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'trunkline-sipp-'));
  const scenarioFile = path.join(folder, 'options.xml');
  await fs.writeFile(scenarioFile, answerOptions(status));

  const port = wanted ?? (await freePort());
  const network = ['-i', '127.0.0.1', '-p', String(port), '-t', transport === 'udp' ? 'u1' : 't1'];
  const ownPorts = ['-mp', String(await freePort()), '-cp', String(await freePort())];
  const args = ['-sf', scenarioFile, ...network, ...ownPorts, '-nostdin', '-watchdog_interval', '0'];
  const isReady = (): Promise<boolean> => (transport === 'udp' ? isAnsweringUdp(port) : isAcceptingTcp(port));
  const peer = await startPeerProcess('sipp', args, { folder, isReady });
  return { port, stop: () => peer.stop() };
}

function answerOptions(status: number): string {
  return `<?xml version="1.0" encoding="ISO-8859-1" ?>
<scenario name="OPTIONS ${status}">
  <recv request="OPTIONS"/>
  <send><![CDATA[
SIP/2.0 ${status} ${status === 200 ? 'OK' : `Status ${status}`}
[last_Via:]
[last_From:]
[last_To:];tag=[pid]SIPpOpt[call_number]
[last_Call-ID:]
[last_CSeq:]
Content-Length: 0

]]></send>
</scenario>
`;
}
