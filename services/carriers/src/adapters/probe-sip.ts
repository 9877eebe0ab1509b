import { BlockedAddressError, resolveAllowed } from '@trunkline/outbound-http';
import type { AddressPolicy, ResolveHost } from '@trunkline/outbound-http';
import type { ProbeOutcome } from '../domain/health/probe-outcome.js';
import type { ProbeTarget } from '../domain/health/probe-target.js';
import { isAlive } from '../domain/sip/is-alive.js';
import { sendOptions, type OptionsOutcome } from './sip-options.js';

export interface SipProbeOptions {
  /** Wall clock for the look-up of the name and the exchange together. */
  timeoutMs: number;
  addressPolicy: AddressPolicy;
  resolve: ResolveHost;
  ca?: string;
}

const USER_AGENT = 'Trunkline';
const MAX_ERROR_CHARACTERS = 120;

/** OPTIONS to the carrier's host, whose address is looked up and checked on every probe. */
export async function probeSip(
  target: Extract<ProbeTarget, { kind: 'sip' }>,
  { timeoutMs, addressPolicy, resolve, ca }: SipProbeOptions,
): Promise<ProbeOutcome> {
  const startedAt = performance.now();
  const address = await withDeadline(lookUp(target.host, addressPolicy, resolve), timeoutMs);
  if ('error' in address) return { kind: 'failed', error: address.error };
  const remainingMs = Math.max(1, Math.ceil(timeoutMs - (performance.now() - startedAt)));
  return outcomeOf(
    await sendOptions({
      address: address.ip,
      host: target.host,
      port: target.port,
      transport: target.transport,
      timeoutMs: remainingMs,
      userAgent: USER_AGENT,
      ...(ca !== undefined && { ca }),
    }),
  );
}

type LookUp = { ip: string } | { error: string };

/** A name server that stays silent is the carrier's failure, and holds the probe no longer than a silent carrier. */
async function withDeadline(lookUp: Promise<LookUp>, timeoutMs: number): Promise<LookUp> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<LookUp>((resolve) => {
    timer = setTimeout(() => resolve({ error: 'timeout' }), timeoutMs);
  });
  return Promise.race([lookUp, late]).finally(() => clearTimeout(timer));
}

/** The error does not tell the address: it would answer questions about the inner network. */
async function lookUp(host: string, policy: AddressPolicy, resolve: ResolveHost): Promise<LookUp> {
  try {
    return { ip: (await resolveAllowed(host, policy, { resolve })).address };
  } catch (error) {
    return { error: error instanceof BlockedAddressError ? 'blocked_address' : 'host not found' };
  }
}

function outcomeOf(end: OptionsOutcome): ProbeOutcome {
  if (!end.ok) return { kind: end.local ? 'undecided' : 'failed', error: end.error };
  if (isAlive(end.code)) return { kind: 'alive', responseTimeMs: end.responseTimeMs };
  const words = Array.from(`SIP ${end.code} ${end.reason}`.trim());
  return { kind: 'failed', error: words.slice(0, MAX_ERROR_CHARACTERS).join('') };
}
