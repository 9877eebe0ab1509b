// What most teams would write: the same proxy behind an express chain with passport's middleware.
import http from 'node:http';
import { createRequire } from 'node:module';
import { pipeline } from 'node:stream';
import express from 'express';
import { Pool } from 'undici';
import { serveMeasured } from './target.mjs';

const require = createRequire(new URL('../../services/gateway/package.json', import.meta.url));
const passport = require('passport');
const { BasicStrategy } = require('passport-http');

const pool = new Pool(process.env.BACKEND_URL, { connections: 64 });
passport.use(new BasicStrategy((user, token, done) => done(null, token.length === 32 && { user })));
const app = express();
app.use((request, response, next) => {
  response.setHeader('X-Request-Id', crypto.randomUUID());
  next();
});
app.use(passport.authenticate('basic', { session: false }));
app.all('/{*path}', (request, response) => {
  pool
    .request({ method: request.method, path: request.url, headers: { accept: '*/*' }, body: null })
    .then(({ statusCode, headers, body }) => {
      response.writeHead(statusCode, headers);
      pipeline(body, response, () => undefined);
    });
});
serveMeasured(http.createServer(app));
