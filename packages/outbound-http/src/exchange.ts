import type { Agent } from 'undici';
import type { OutboundRequest } from './outbound-http.js';
import type { OutboundOutcome } from './outbound-outcome.js';

type Answer = Pick<OutboundOutcome & { ok: true }, 'status' | 'headers' | 'body' | 'bodyTruncated'>;

/** Sends one request and reads its answer up to `maxBodyBytes`; rejects with the transport's error. */
export async function exchange(
  agent: Agent,
  url: URL,
  input: OutboundRequest,
  signal: AbortSignal,
): Promise<Answer> {
  const response = await agent.request({
    origin: url.origin,
    path: url.pathname + url.search,
    method: input.method,
    headers: requestHeaders(input.headers ?? {}),
    body: input.body ?? null,
    headersTimeout: 0,
    bodyTimeout: 0,
    signal,
  });
  const body = await readCapped(response.body, input.maxBodyBytes);
  return { status: response.statusCode, headers: response.headers, ...body };
}

function requestHeaders(given: Readonly<Record<string, string>>): Record<string, string> {
  const headers = Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name.toLowerCase(), value]),
  );
  // undici would take it for SNI, so that the certificate of another host is accepted.
  if ('host' in headers) throw new TypeError('The host header comes from the URL');
  return { ...headers, 'user-agent': 'Trunkline/1.0', 'accept-encoding': 'identity' };
}

/** Leaving the loop early destroys the connection: an endless body is not drained. */
async function readCapped(
  stream: AsyncIterable<Buffer>,
  maxBytes: number,
): Promise<{ body: Buffer; bodyTruncated: boolean }> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > maxBytes) break;
  }
  return { body: Buffer.concat(chunks, Math.min(size, maxBytes)), bodyTruncated: size > maxBytes };
}
