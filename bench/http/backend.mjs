// The service behind both proxies: a bare handler with a carrier-sized answer.
import http from 'node:http';
import { serveMeasured } from './target.mjs';

const body = Buffer.from(JSON.stringify({ id: 'x'.repeat(36), name: 'carrier', filler: 'y'.repeat(400) }));
serveMeasured(
  http.createServer((request, response) => {
    response.writeHead(200, {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': body.length,
    });
    response.end(body);
  }),
);
