// Baseline: an express handler and nothing else.
import http from 'node:http';
import express from 'express';
import { serveMeasured } from './target.mjs';

const app = express();
app.get('/v1/things/:id', (request, response) =>
  response.json({ id: request.params.id, name: 'thing', filler: 'y'.repeat(400) }),
);
serveMeasured(http.createServer(app));
