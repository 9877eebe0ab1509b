import http from 'node:http';
import type { AddressInfo } from 'node:net';

export interface RecordedRequest {
  method: string;
  path: string;
  authorization: string | undefined;
  contentType: string | undefined;
  /** As sent; empty for none. */
  body: string;
}

export interface ScriptedAnswer {
  status?: number;
  /** JSON, or with a string the text itself. */
  body?: unknown;
  headers?: Record<string, string>;
}

export interface ScriptedApi {
  url: string;
  /** In the order of their arrival. */
  requests: RecordedRequest[];
  /** Answers for `GET /path?query`, from now on. */
  answer(request: string, answer: ScriptedAnswer): void;
  /** Forgets answers and requests. */
  reset(): void;
  stop(): Promise<void>;
}

/** A real HTTP server with answers from the test; it answers 599 to what is not in its script. */
export async function startScriptedApi(): Promise<ScriptedApi> {
  const answers = new Map<string, ScriptedAnswer>();
  const requests: RecordedRequest[] = [];
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const body = Buffer.concat(chunks).toString();
      const contentType = headers['content-type'];
      requests.push({ method, path: url, authorization: headers.authorization, contentType, body });
      send(
        response,
        answers.get(`${method} ${url}`) ?? { status: 599, body: `not in the script: ${method} ${url}` },
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    answer: (request, answer) => void answers.set(request, answer),
    reset() {
      answers.clear();
      requests.length = 0;
    },
    stop() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function send(response: http.ServerResponse, { status = 200, body, headers }: ScriptedAnswer): void {
  if (body === undefined) return void response.writeHead(status, headers).end();
  const isText = typeof body === 'string';
  response.writeHead(status, { 'content-type': isText ? 'text/plain' : 'application/json', ...headers });
  response.end(isText ? body : JSON.stringify(body));
}
