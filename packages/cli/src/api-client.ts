import { ApiError, readErrorBody } from './api-error.js';
import { ConnectionError } from './cli-error.js';
import { connectionProblem } from './connection-problem.js';

export interface Reply {
  status: number;
  /** As received; empty for 204. */
  text: string;
  /** `text` parsed; undefined when it is empty or, from `readText`, not JSON. */
  body: unknown;
}

export interface ApiClient {
  /** Throws `ApiError` for an error answer, `ConnectionError` when there is none. */
  send(method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: object): Promise<Reply>;
  /** GET of a plain page, whatever its status. */
  readText(path: string): Promise<Reply>;
}

export interface ApiClientOptions {
  /** Without a slash at the end. */
  url: string;
  authorization: string;
  /** Where the credentials come from, for messages. */
  source: string;
  userAgent: string;
  timeoutMs?: number;
}

/** One API of the platform, as one caller. Nothing is retried, redirects are not followed. */
export function createApiClient(options: ApiClientOptions): ApiClient {
  const { url, authorization, source, userAgent, timeoutMs = 30_000 } = options;

  async function exchange(
    method: string,
    path: string,
    body?: object,
  ): Promise<{ response: Response; text: string }> {
    try {
      const response = await fetch(`${url}${path}`, {
        method,
        headers: {
          authorization,
          accept: 'application/json',
          'user-agent': userAgent,
          ...(body && { 'content-type': 'application/json' }),
        },
        ...(body && { body: JSON.stringify(body) }),
        redirect: 'manual',
        signal: AbortSignal.timeout(timeoutMs),
      });
      return { response, text: await response.text() };
    } catch (error) {
      throw new ConnectionError(connectionProblem(error, { url, source, timeoutMs }), { cause: error });
    }
  }

  return {
    async send(method, path, body) {
      const { response, text } = await exchange(method, path, body);
      const { status } = response;
      const parsed = parseJson(text);
      if (response.ok && (parsed !== undefined || text === '')) return { status, text, body: parsed };
      throw errorOf(response, parsed, url, source);
    },
    async readText(path) {
      const { response, text } = await exchange('GET', path);
      return { status: response.status, text, body: parseJson(text) };
    },
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function errorOf({ status, headers }: Response, body: unknown, url: string, source: string): Error {
  const error = readErrorBody(body);
  if (!error) {
    const type = headers.get('content-type') ?? 'no content type';
    return new ConnectionError(
      `${url} answered ${status} with ${type}, not with JSON of Trunkline: is the address right? It comes from ${source}.`,
    );
  }
  const requestId = error.requestId ?? headers.get('x-request-id') ?? undefined;
  return new ApiError(
    status,
    error.code,
    error.message,
    error.details,
    requestId,
    hintOf(status, headers, source),
  );
}

function hintOf(status: number, headers: Headers, source: string): string | undefined {
  const seconds = headers.get('retry-after');
  if (status === 401) return `the credentials come from ${source}`;
  return seconds === null ? undefined : `retry after ${seconds} s`;
}
