import type { IncomingMessage } from 'node:http';
import { payloadTooLarge, unsupportedMediaType, MAX_BODY_BYTES } from '@trunkline/http';

const JSON_TYPE = /^application\/json\s*(;|$)/i;

export function hasBody(request: IncomingMessage): boolean {
  return (
    request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0
  );
}

/** 415 for a body that is not JSON, 413 for one that says it is too long, before anything of it is read. */
export function checkBody(request: IncomingMessage): void {
  if (!hasBody(request)) return;
  if (!JSON_TYPE.test(request.headers['content-type'] ?? '')) throw unsupportedMediaType();
  if (Number(request.headers['content-length'] ?? 0) > MAX_BODY_BYTES) throw payloadTooLarge();
}

/** The whole body, at most 1 MiB. */
export async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  // Not destroyed on the way out: the refusal still has to be sent over this connection.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) throw payloadTooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
