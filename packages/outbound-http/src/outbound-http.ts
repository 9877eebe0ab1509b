import { Agent } from 'undici';
import type { AddressPolicy } from './address-policy.js';
import { parseUserUrl } from './check-user-url.js';
import { exchange } from './exchange.js';
import { createGuardedConnector } from './guarded-connector.js';
import { failureReason, type OutboundFailureReason, type OutboundOutcome } from './outbound-outcome.js';
import type { ResolveHost } from './resolve-allowed.js';
import { startDeadline } from './start-deadline.js';

/** One attempt. `headers` may not contain `host`; `user-agent` and `accept-encoding` are ours. */
export type OutboundRequest = {
  url: string;
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';
  headers?: Readonly<Record<string, string>>;
  body?: string | Buffer;
  /** Milliseconds of wall clock for all of it: waiting for a connection, DNS, connect, TLS, headers and body. */
  deadlineMs: number;
  /** The body is cut here, in bytes, and the connection closed. */
  maxBodyBytes: number;
};

/** The client for addresses that users give. */
export type OutboundHttp = {
  /** Makes one attempt; never throws for what the peer does. Throws for a header undici refuses and after close(). */
  request(input: OutboundRequest): Promise<OutboundOutcome>;
  /** Waits for the attempts that run (their deadlines bound it), then ends every connection. */
  close(): Promise<void>;
};

export type OutboundHttpOptions = {
  policy: AddressPolicy;
  /** Plain http is allowed where the dialled address is loopback, and nowhere else. Default false. */
  allowHttpOnLoopback?: boolean;
  /** Connections to one origin; further attempts wait within their deadline. Default 16. */
  connectionsPerOrigin?: number;
  /** Milliseconds an idle connection is kept; a longer `keep-alive` hint of the peer is ignored. Default 4000. */
  keepAliveMs?: number;
  /** PEM certificates trusted besides the public ones. */
  ca?: string;
  /** Replaces the system's resolver, for tests. */
  resolve?: ResolveHost;
};

/**
 * The one HTTP client for addresses that users give: every new connection is checked against the policy at connect
 * time, redirects are ordinary answers, the deadline is wall clock, the body is capped and never decompressed.
 */
export function createOutboundHttp(options: OutboundHttpOptions): OutboundHttp {
  const { policy, allowHttpOnLoopback = false, keepAliveMs = 4_000, ca, resolve } = options;
  const closing = new AbortController();
  const running = new Set<Promise<unknown>>();
  let closed = false;
  const agent = new Agent({
    connect: createGuardedConnector({ policy, allowHttpOnLoopback, ca, resolve, closing: closing.signal }),
    connections: options.connectionsPerOrigin ?? 16,
    keepAliveTimeout: keepAliveMs,
    keepAliveMaxTimeout: keepAliveMs,
    pipelining: 1,
  });

  return {
    request(input) {
      if (closed) return Promise.reject(new Error('The outbound HTTP client is closed'));
      const attempt = attemptRequest(agent, allowHttpOnLoopback, input);
      running.add(attempt);
      return attempt.finally(() => running.delete(attempt));
    },
    async close() {
      closed = true;
      await Promise.allSettled(running);
      closing.abort();
      await agent.destroy();
    },
  };
}

async function attemptRequest(
  agent: Agent,
  allowHttpOnLoopback: boolean,
  input: OutboundRequest,
): Promise<OutboundOutcome> {
  const startedAt = performance.now();
  const durationMs = () => Math.round(performance.now() - startedAt);
  const failed = (reason: OutboundFailureReason, message: string): OutboundOutcome => ({
    ok: false,
    reason,
    message,
    durationMs: durationMs(),
  });

  const parsed = parseUserUrl(input.url);
  if ('refusal' in parsed) return failed('invalid_url', `The URL ${parsed.refusal}`);
  if (parsed.url.protocol === 'http:' && !allowHttpOnLoopback) {
    return failed('insecure_url', 'Only https is allowed');
  }
  const deadline = startDeadline(input.deadlineMs);
  try {
    // undici notices a signal only once the request has a connection, hence the race.
    const answer = await Promise.race([exchange(agent, parsed.url, input, deadline.signal), deadline.passed]);
    return { ok: true, ...answer, durationMs: durationMs() };
  } catch (error) {
    const reason = failureReason(error);
    if (reason === undefined) throw error;
    return failed(reason, (error as Error).message);
  } finally {
    deadline.clear();
  }
}
