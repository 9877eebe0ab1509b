import type { RequestListener } from 'node:http';
import type { Registry } from 'prom-client';

/** `/healthz` (never touches a dependency), `/readyz` (does) and `/metrics`, on a port of their own. */
export function internalApp(ready: () => Promise<string | undefined>, registry: Registry): RequestListener {
  return (request, response) => {
    const answer = (status: number, body: string, type = 'text/plain; charset=utf-8') =>
      response.writeHead(status, { 'Content-Type': type }).end(body);
    if (request.url === '/healthz') return void answer(200, 'ok\n');
    if (request.url === '/readyz') {
      ready().then(
        (reason) => answer(reason ? 503 : 200, `${reason ?? 'ready'}\n`),
        (error: Error) => answer(503, `${error.message}\n`),
      );
      return;
    }
    if (request.url === '/metrics') {
      registry.metrics().then(
        (text) => answer(200, text, registry.contentType),
        () => answer(500, 'metrics failed\n'),
      );
      return;
    }
    answer(404, 'not found\n');
  };
}
