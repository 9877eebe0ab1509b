// A service's authenticated GET: signed caller, validated path, metrics and log, as packages/service runs it; no database.
import os from 'node:os';
import path from 'node:path';
import http from 'node:http';
import Joi from 'joi';
import { createCallerVerifier, createHttpApp, ok, routesOf } from '@trunkline/http';
import { createLogger, createMetrics, requestObserver } from '@trunkline/service';
import { serveMeasured } from './target.mjs';

const logger = createLogger({
  level: 'info',
  service: 'bench',
  file: path.join(os.tmpdir(), `bench-${process.pid}.log`),
});
const route = routesOf()({
  audience: 'account',
  tag: { name: 'Things', description: 'x' },
  operationId: 'getThing',
  method: 'get',
  path: '/v1/things/:id',
  summary: 'x',
  params: Joi.object({ id: Joi.string().uuid().required() }),
  responses: {},
  errors: [],
  handle: async (_deps, { params }) => ok({ id: params.id, name: 'thing', filler: 'y'.repeat(400) }),
});
const verifyCaller = createCallerVerifier('x'.repeat(32));
serveMeasured(
  http.createServer(
    createHttpApp({
      routes: [route],
      deps: {},
      verifyCaller,
      observe: requestObserver(logger, createMetrics('bench')),
    }),
  ),
);
