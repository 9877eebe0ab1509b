import fs from 'node:fs/promises';
import tls from 'node:tls';
import { createHostResolver, type AddressPolicy, type OutboundHttp } from '@trunkline/outbound-http';
import type { ProbeOutcome } from '../domain/health/probe-outcome.js';
import type { ProbeTarget } from '../domain/health/probe-target.js';
import { probeHttp } from './probe-http.js';
import { probeSip } from './probe-sip.js';
import { probeSandbox, sandboxHost } from './sandbox-prober.js';

/** Asks a carrier once whether it is alive; answers within the time-out and never rejects. */
export type Prober = (target: ProbeTarget) => Promise<ProbeOutcome>;

export interface ProberOptions {
  timeoutMs: number;
  degradedAboveMs: number;
  /** PEM file of authorities trusted besides the public ones; '' for none. */
  tlsCaFile: string;
  /** Hosts under sandbox.invalid answer without a network (embedded mode). */
  sandbox: boolean;
  addressPolicy: AddressPolicy;
  outboundHttp: OutboundHttp;
}

/** Rejects when the file of authorities cannot be read. */
export async function createProber(options: ProberOptions): Promise<Prober> {
  const { timeoutMs, tlsCaFile, addressPolicy, outboundHttp } = options;
  const ca = tlsCaFile ? await trustedWith(tlsCaFile) : undefined;
  const resolve = createHostResolver(timeoutMs);
  const sip = { timeoutMs, addressPolicy, resolve, ...(ca !== undefined && { ca }) };
  return async (target) => {
    if (target.kind === 'http') return probeHttp(target.url, { timeoutMs, outboundHttp });
    const sandboxed = options.sandbox ? sandboxHost(target.host) : undefined;
    return sandboxed === undefined ? probeSip(target, sip) : probeSandbox(sandboxed, options);
  };
}

async function trustedWith(file: string): Promise<string> {
  return [...tls.rootCertificates, await fs.readFile(file, 'utf8')].join('\n');
}
