import type { IncomingMessage } from 'node:http';
import { payloadTooLarge, unsupportedMediaType, MAX_BODY_BYTES } from '@trunkline/http';

const JSON_TYPE = /^application\/json\s*(;|$)/i;

/** 415 for a body that is not JSON, 413 for one that says it is too long, before anything of it is read. */
export function checkBody(request: IncomingMessage): void {
  const length = request.headers['content-length'];
  const hasBody = request.headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
  if (!hasBody) return;
  if (!JSON_TYPE.test(request.headers['content-type'] ?? '')) throw unsupportedMediaType();
  if (Number(length ?? 0) > MAX_BODY_BYTES) throw payloadTooLarge();
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
