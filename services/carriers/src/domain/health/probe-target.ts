import type { SipTransport } from '../sip/build-options.js';

/** Where a probe goes to. */
export type ProbeTarget =
  { kind: 'sip'; host: string; port: number; transport: SipTransport } | { kind: 'http'; url: string };

export interface ProbedCarrier {
  status: string;
  sipHost: string | null;
  sipPort: number;
  transport: string;
  healthCheckUrl: string | null;
}

/** Undefined for a carrier that is not probed: a disabled one, and an inbound one that names nothing to ask. */
export function probeTarget(carrier: ProbedCarrier): ProbeTarget | undefined {
  if (carrier.status !== 'active') return undefined;
  if (carrier.healthCheckUrl) return { kind: 'http', url: carrier.healthCheckUrl };
  if (!carrier.sipHost) return undefined;
  const transport = carrier.transport as SipTransport;
  return { kind: 'sip', host: carrier.sipHost, port: carrier.sipPort, transport };
}
