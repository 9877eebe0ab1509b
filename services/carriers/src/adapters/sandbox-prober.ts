import { setTimeout as delay } from 'node:timers/promises';
import type { ProbeOutcome } from '../domain/health/probe-outcome.js';

/** How a carrier of the sandbox answers (decisions, section 15). */
export type SandboxCarrier = 'up' | 'down' | 'slow';

const SANDBOX = /(?:^|\.)(?:([^.]+)\.)?sandbox\.invalid\.?$/i;
const UP_MS = 5;

/** How a host under sandbox.invalid answers: the label before it says so, any other than down and slow is up. */
export function sandboxHost(host: string): SandboxCarrier | undefined {
  const match = SANDBOX.exec(host);
  const label = match?.[1]?.toLowerCase();
  return match ? (label === 'down' || label === 'slow' ? label : 'up') : undefined;
}

/** A slow carrier takes its time for real: half-way between degraded and the time-out. */
export async function probeSandbox(
  carrier: SandboxCarrier,
  { timeoutMs, degradedAboveMs }: { timeoutMs: number; degradedAboveMs: number },
): Promise<ProbeOutcome> {
  if (carrier === 'down') return { kind: 'failed', error: 'timeout' };
  const startedAt = performance.now();
  await delay(carrier === 'slow' ? (degradedAboveMs + timeoutMs) / 2 : UP_MS);
  return { kind: 'alive', responseTimeMs: performance.now() - startedAt };
}
