import express, {
  type ErrorRequestHandler,
  type Express,
  type Request,
  type RequestHandler,
  type Response,
} from 'express';
import { forbidden, invalid, notFound, TrunklineError, unauthenticated } from '@trunkline/errors';
import { callerHeader, type Caller } from './caller.js';
import { isRefusal, sendError } from './error-response.js';
import { REQUEST_ID_HEADER, requestIdFrom } from './request-id.js';
import type { AnyRoute, Reply } from './route.js';
import { validateBody, validateParams, validateQuery } from './validation.js';

/** 1 MiB (decisions 2). */
export const MAX_BODY_BYTES = 1_048_576;

/** The spellings of the caller's own Auth ID in the specification's paths. */
export const AUTH_ID_PARAMS = ['auth_id', 'accountID', 'account_id'] as const;

/** One finished request, for the log and the metrics. `route` is the pattern, never the path: labels stay bounded. */
export interface RequestObservation {
  requestId: string;
  method: string;
  route: string;
  status: number;
  durationMs: number;
  /** Only for a fault of ours. */
  error?: unknown;
}

export interface HttpAppOptions<Deps> {
  routes: readonly AnyRoute<Deps>[];
  deps: Deps;
  verifyCaller: (header: string | undefined) => Caller | undefined;
  observe?: (observation: RequestObservation) => void;
}

/** The express app of a service: caller, validation, handler, answer; every error in the one shape. */
export function createHttpApp<Deps>(options: HttpAppOptions<Deps>): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');
  app.set('case sensitive routing', true);
  for (const route of options.routes) {
    const handlers = route.body ? [readJson] : [];
    app[route.method](route.path, ...handlers, runRoute(route, options));
  }
  app.use((request, response) => finish(startOf(request), response, notFound('path'), 'unmatched', options));
  app.use(((error, request, response, _next) => {
    finish(startOf(request), response, fromExpress(error), 'unmatched', options);
  }) as ErrorRequestHandler);
  return app;
}

/** What is known of a request from its first moment. */
interface Start {
  requestId: string;
  method: string;
  at: number;
}

function startOf(request: Request): Start {
  return {
    requestId: requestIdFrom(request.headers[REQUEST_ID_HEADER]),
    method: request.method,
    at: performance.now(),
  };
}

function runRoute<Deps>(route: AnyRoute<Deps>, options: HttpAppOptions<Deps>): RequestHandler {
  return async (request, response) => {
    const start = startOf(request);
    try {
      const caller = authorise(
        route,
        request,
        options.verifyCaller(request.headers[callerHeader] as string | undefined),
      );
      const params: unknown = route.params ? validateParams(route.params, request.params) : request.params;
      if (params === undefined) throw notFound('record');
      const reply = await route.handle(options.deps, {
        caller,
        params,
        query: route.query ? validateQuery(route.query, request.query) : validateNoQuery(request),
        body: route.body ? validateBody(route.body, request.body) : undefined,
        requestId: start.requestId,
      });
      send(response, reply, start.requestId);
      options.observe?.(observation(start, route.path, reply.status));
    } catch (error) {
      finish(start, response, error, route.path, options);
    }
  };
}

function authorise(route: AnyRoute, request: Request, caller: Caller | undefined): Caller {
  if (!caller || caller.kind !== route.audience)
    throw unauthenticated('This request did not come through the gateway.');
  if (caller.kind !== 'account') return caller;
  for (const name of AUTH_ID_PARAMS) {
    const value = request.params[name];
    if (value !== undefined && value !== caller.auth_id) {
      throw forbidden('FORBIDDEN', 'The Auth ID in the path is not the one of the API key.');
    }
  }
  return caller;
}

const NO_QUERY = {};

function validateNoQuery(request: Request): Record<string, never> {
  if (!request.url.includes('?')) return NO_QUERY;
  for (const name in request.query)
    throw invalid([{ field: name, message: `${name} is not a query parameter of this operation` }]);
  return {};
}

function send(response: Response, reply: Reply, requestId: string): void {
  response.setHeader(REQUEST_ID_HEADER, requestId);
  if (reply.body === undefined) {
    response.writeHead(reply.status).end();
    return;
  }
  // As text: node then sends head and body in one write.
  const body = JSON.stringify(reply.body);
  response.writeHead(reply.status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
  });
  response.end(body);
}

function finish<Deps>(
  start: Start,
  response: Response,
  error: unknown,
  route: string,
  options: HttpAppOptions<Deps>,
): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  response.setHeader(REQUEST_ID_HEADER, start.requestId);
  const status = sendError(response, error, start.requestId);
  options.observe?.({ ...observation(start, route, status), ...(!isRefusal(error) && { error }) });
}

function observation({ requestId, method, at }: Start, route: string, status: number): RequestObservation {
  return { requestId, method, route, status, durationMs: performance.now() - at };
}

const parseJson = express.json({ limit: MAX_BODY_BYTES, strict: false, type: () => true });

/** A body that is not JSON is refused; no body stays undefined. */
const readJson: RequestHandler = (request, response, next) => {
  if (!hasBody(request)) next();
  else if (!request.is('application/json')) next(unsupportedMediaType());
  else parseJson(request, response, next);
};

function hasBody(request: Request): boolean {
  return (
    request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0
  );
}

export function unsupportedMediaType(): TrunklineError {
  return new TrunklineError(
    'unsupported_media_type',
    'UNSUPPORTED_MEDIA_TYPE',
    'Send the body as application/json.',
  );
}

export function payloadTooLarge(): TrunklineError {
  return new TrunklineError(
    'payload_too_large',
    'PAYLOAD_TOO_LARGE',
    'The request body may have at most 1 MiB.',
  );
}

/** What express and body-parser throw, in our words. */
function fromExpress(error: unknown): unknown {
  if (error instanceof TrunklineError) return error;
  const { type, status } = error as { type?: string; status?: number };
  if (type === 'entity.too.large') return payloadTooLarge();
  if (type === 'charset.unsupported' || type === 'encoding.unsupported') return unsupportedMediaType();
  if (type?.startsWith('entity.') || type?.startsWith('request.')) {
    return invalid([{ field: 'body', message: 'body is not valid JSON' }]);
  }
  if (error instanceof URIError || status === 400) return notFound('path');
  return error;
}
