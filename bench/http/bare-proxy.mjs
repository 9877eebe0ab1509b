// Baseline: the plainest undici proxy. No authentication, no limits, no log, no metrics.
import http from 'node:http';
import { pipeline } from 'node:stream';
import { Pool } from 'undici';
import { serveMeasured } from './target.mjs';

const pool = new Pool(process.env.BACKEND_URL, { connections: 64 });
serveMeasured(
  http.createServer((request, response) => {
    pool
      .request({
        method: request.method,
        path: request.url,
        headers: { ...request.headers, connection: undefined },
        body: null,
      })
      .then(
        ({ statusCode, headers, body }) => {
          response.writeHead(statusCode, headers);
          pipeline(body, response, () => undefined);
        },
        () => response.writeHead(502).end(),
      );
  }),
);
