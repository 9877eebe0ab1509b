import type { ServerResponse } from 'node:http';
import CircuitBreaker from 'opossum';
import { Pool, type Dispatcher } from 'undici';
import { unavailable } from '@trunkline/errors';

/** What the gateway sends to a service. Headers are a flat list: name, value, name, value. */
export interface UpstreamRequest {
  method: string;
  /** Path and query, as the client sent them. */
  path: string;
  headers: string[];
  body: Buffer | null;
}

export interface BufferedAnswer {
  status: number;
  type: string | null;
  body: Buffer;
}

export interface UpstreamOptions {
  name: string;
  url: string;
  connections: number;
  timeoutMs: number;
}

/** Opens when half of the requests of ten seconds (at least 10) found the service down or slow; tries again after a second. */
const BREAKER = {
  timeout: false,
  errorThresholdPercentage: 50,
  volumeThreshold: 10,
  resetTimeout: 1_000,
} as const;

/** Longer answers cannot be kept for an Idempotency-Key. */
const MAX_BUFFERED_BYTES = 4 * 1_048_576;

/** Connection headers belong to one hop (RFC 9110, 7.6.1). */
const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
  'trailer',
  'te',
  'proxy-connection',
]);

/** Pooled keep-alive connections to one service, behind a breaker. */
export class Upstream {
  private readonly pool: Pool;
  private readonly breaker: CircuitBreaker<[UpstreamRequest, ServerResponse | BufferedAnswer], void>;

  constructor(private readonly options: UpstreamOptions) {
    this.pool = new Pool(options.url, {
      connections: options.connections,
      pipelining: 1,
      headersTimeout: options.timeoutMs,
      bodyTimeout: options.timeoutMs,
      connectTimeout: Math.min(options.timeoutMs, 2_000),
      keepAliveTimeout: 30_000,
    });
    this.breaker = new CircuitBreaker(
      (request: UpstreamRequest, target: ServerResponse | BufferedAnswer) => this.exchange(request, target),
      BREAKER,
    );
  }

  /** Streams the answer to the client. Rejects with SERVICE_UNAVAILABLE when nothing of an answer came. */
  async stream(request: UpstreamRequest, response: ServerResponse): Promise<void> {
    await this.fire(request, response);
  }

  /** Takes the whole answer, for an Idempotency-Key. */
  async buffer(request: UpstreamRequest): Promise<BufferedAnswer> {
    const answer: BufferedAnswer = { status: 0, type: null, body: Buffer.alloc(0) };
    await this.fire(request, answer);
    return answer;
  }

  get isOpen(): boolean {
    return this.breaker.opened;
  }

  async close(): Promise<void> {
    this.breaker.shutdown();
    await this.pool.close();
  }

  private async fire(request: UpstreamRequest, target: ServerResponse | BufferedAnswer): Promise<void> {
    try {
      await this.breaker.fire(request, target);
    } catch (cause) {
      throw unavailable(`The ${this.options.name} service`, cause);
    }
  }

  private exchange(request: UpstreamRequest, target: ServerResponse | BufferedAnswer): Promise<void> {
    return new Promise((resolve, reject) => {
      const handler =
        'body' in target ? bufferInto(target, resolve, reject) : streamInto(target, resolve, reject);
      this.pool.dispatch(
        {
          method: request.method as Dispatcher.HttpMethod,
          path: request.path,
          headers: request.headers,
          body: request.body,
        },
        handler,
      );
    });
  }
}

type Settle = () => void;
type Fail = (error: Error) => void;

function bufferInto(answer: BufferedAnswer, resolve: Settle, reject: Fail): Dispatcher.DispatchHandler {
  const chunks: Buffer[] = [];
  let size = 0;
  return {
    onRequestStart() {},
    onResponseStart(_controller, status, headers) {
      if (status < 200) return;
      answer.status = status;
      const type = headers['content-type'];
      answer.type = typeof type === 'string' ? type : null;
    },
    onResponseData(controller, chunk) {
      size += chunk.length;
      if (size > MAX_BUFFERED_BYTES) controller.abort(new Error('the answer is too large to be kept'));
      else chunks.push(chunk);
    },
    onResponseEnd() {
      answer.body = Buffer.concat(chunks);
      resolve();
    },
    onResponseError: (_controller, error) => reject(error),
  };
}

/** Back pressure from the client pauses the service; a client that goes away aborts the request. */
function streamInto(response: ServerResponse, resolve: Settle, reject: Fail): Dispatcher.DispatchHandler {
  let controller: Dispatcher.DispatchController | undefined;
  let length = -1;
  const onClose = () => {
    if (!response.writableFinished) controller?.abort(new ClientGoneError());
  };
  const onDrain = () => controller?.resume();
  return {
    onRequestStart(started) {
      controller = started;
      response.on('close', onClose).on('drain', onDrain);
      if (response.destroyed) onClose();
    },
    onResponseStart(_controller, status, headers) {
      if (status < 200) return;
      for (const name in headers) {
        const value = headers[name];
        if (value !== undefined && !HOP_BY_HOP.has(name)) response.setHeader(name, value);
      }
      length = Number(headers['content-length'] ?? -1);
      response.writeHead(status);
    },
    onResponseData(current, chunk) {
      // A whole answer in one piece leaves in one write, with its head.
      if (chunk.length === length) response.end(chunk);
      else if (!response.write(chunk)) current.pause();
    },
    onResponseEnd() {
      response.removeListener('close', onClose).removeListener('drain', onDrain);
      response.end();
      resolve();
    },
    onResponseError(_controller, error) {
      response.removeListener('close', onClose).removeListener('drain', onDrain);
      // The client's leaving is no fault of the service; a broken answer cannot be mended, only cut.
      if (error instanceof ClientGoneError) return resolve();
      if (response.headersSent) response.destroy();
      reject(error);
    },
  };
}

class ClientGoneError extends Error {
  constructor() {
    super('the client closed the connection');
  }
}
