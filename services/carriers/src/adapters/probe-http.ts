import type { OutboundFailureReason, OutboundHttp } from '@trunkline/outbound-http';
import type { ProbeOutcome } from '../domain/health/probe-outcome.js';

/** More than a health check has to say; the rest is not read. */
const MAX_BODY_BYTES = 16_384;

const words: Partial<Record<OutboundFailureReason, string>> = {
  dns: 'host not found',
  refused: 'connection refused',
  reset: 'connection reset',
  tls: 'TLS handshake failed',
  protocol: 'not an HTTP answer',
};

/** GET of a carrier's health_check_url: any 2xx is alive, a redirect is not followed. */
export async function probeHttp(
  url: string,
  { timeoutMs, outboundHttp }: { timeoutMs: number; outboundHttp: OutboundHttp },
): Promise<ProbeOutcome> {
  try {
    const answer = await outboundHttp.request({
      url,
      method: 'GET',
      deadlineMs: timeoutMs,
      maxBodyBytes: MAX_BODY_BYTES,
    });
    if (!answer.ok) return { kind: 'failed', error: words[answer.reason] ?? answer.reason };
    const alive = answer.status >= 200 && answer.status < 300;
    return alive
      ? { kind: 'alive', responseTimeMs: answer.durationMs }
      : { kind: 'failed', error: `HTTP ${answer.status}` };
  } catch (error) {
    // The client throws only for what is not the peer's doing.
    return { kind: 'undecided', error: (error as Error).message };
  }
}
