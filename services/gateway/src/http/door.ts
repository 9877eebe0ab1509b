import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { notFound, TrunklineError, type TrunklineError as Refusal } from '@trunkline/errors';
import {
  callerHeader,
  REQUEST_ID_HEADER,
  requestIdFrom,
  sendError,
  type Caller,
  type RequestObservation,
} from '@trunkline/http';
import type { UpstreamRequest } from '../adapters/upstream.js';
import type { TableEntry } from '../domain/route-table.js';
import type { Deps } from '../deps.js';
import { checkBody, hasBody, readBody } from './body.js';
import { proxyIdempotently } from './idempotent-proxy.js';

/** A page that the door answers itself, without credentials. */
export type Page = (request: IncomingMessage, response: ServerResponse) => void;

/** One door of the platform: who may come in, and which operations lie behind it. */
export interface DoorOptions {
  table: Deps['publicTable'];
  pages: ReadonlyMap<string, Page>;
  /** Answers the caller; calls back at once when it can. */
  authenticate(request: IncomingMessage, done: (error: unknown, caller?: Caller) => void): void;
  /** Throws when this caller asks too often; sets the limit's headers, which every answer carries then. */
  limit(caller: Caller, response: ServerResponse): void;
  /** Throws when this path or tenant is not this caller's. */
  admit(caller: Caller, entry: TableEntry, segments: readonly string[], request: IncomingMessage): void;
  /** Whose Idempotency-Keys these are, and what a signed caller header is cached under. */
  ownerOf(caller: Caller): string;
}

/** What a request is, once it has come in. */
export interface Visit {
  request: IncomingMessage;
  response: ServerResponse;
  requestId: string;
  caller: Caller;
  owner: string;
  entry: TableEntry;
}

/** Headers that go on to the service; everything else, credentials first, stays here. */
const FORWARDED = ['content-type', 'accept', 'user-agent', 'traceparent', 'tracestate'] as const;

/**
 * The hot path of the platform: plain node:http, no middleware chain. Credentials, rate, table, admission, body, proxy, in this order.
 */
export function createDoor(deps: Deps, options: DoorOptions): RequestListener {
  return (request, response) => {
    const started = performance.now();
    const requestId = requestIdFrom(request.headers[REQUEST_ID_HEADER]);
    response.setHeader('X-Request-Id', requestId);
    const path = pathOf(request.url ?? '');
    let route = 'unmatched';
    const finish = (error?: unknown) => {
      if (error !== undefined) answerError(request, response, error, requestId);
      deps.observe(observation(request, response, requestId, route, started, error));
    };
    const page = options.pages.get(path);
    if (page) {
      route = path;
      page(request, response);
      return finish();
    }
    options.authenticate(request, (refused, caller) => {
      if (!caller) return finish(refused ?? new Error('neither refused nor authenticated'));
      try {
        options.limit(caller, response);
        const match = options.table.match(request.method ?? '', path);
        if (!match) throw notFound('path');
        if (!('entry' in match)) throw methodNotAllowed(response, match.allow);
        route = match.entry.path;
        options.admit(caller, match.entry, match.segments, request);
        checkBody(request);
        const visit = {
          request,
          response,
          requestId,
          caller,
          owner: options.ownerOf(caller),
          entry: match.entry,
        };
        proxy(deps, visit).then(finish, finish);
      } catch (error) {
        finish(error);
      }
    });
  };
}

/**
 * The body is taken whole before the service is asked: it is at most 1 MiB, and a client that sends slowly then holds none of the
 * service's connections. The answer streams.
 */
async function proxy(deps: Deps, visit: Visit): Promise<void> {
  const { request, response, entry } = visit;
  if (request.method === 'POST' && request.headers['idempotency-key'] !== undefined)
    return proxyIdempotently(deps, visit);
  const body = hasBody(request) ? await readBody(request) : null;
  return deps.upstream(entry.service).stream(upstreamRequest(deps, visit, body), response);
}

export function upstreamRequest(deps: Deps, visit: Visit, body: UpstreamRequest['body']): UpstreamRequest {
  const { request, requestId, owner, caller } = visit;
  const headers = [callerHeader, deps.signCaller(owner, caller), REQUEST_ID_HEADER, requestId];
  for (const name of FORWARDED) {
    const value = request.headers[name];
    if (value !== undefined) headers.push(name, value as string);
  }
  return { method: request.method ?? 'GET', path: request.url ?? '/', headers, body };
}

function pathOf(url: string): string {
  const query = url.indexOf('?');
  return query === -1 ? url : url.slice(0, query);
}

function methodNotAllowed(response: ServerResponse, allow: string): Refusal {
  response.setHeader('Allow', allow);
  return new TrunklineError('method_not_allowed', 'METHOD_NOT_ALLOWED', `This path answers ${allow}.`);
}

function answerError(
  request: IncomingMessage,
  response: ServerResponse,
  error: unknown,
  requestId: string,
): void {
  if (response.headersSent) response.destroy();
  else sendError(response, error, requestId);
  // What is left of a refused body is read and dropped, or the next request on this connection would wait behind it.
  if (!request.complete) request.resume();
}

function observation(
  request: IncomingMessage,
  response: ServerResponse,
  requestId: string,
  route: string,
  started: number,
  error: unknown,
): RequestObservation {
  const isFault = error !== undefined && response.statusCode >= 500;
  return {
    requestId,
    method: request.method ?? '',
    route,
    status: response.statusCode,
    durationMs: performance.now() - started,
    ...(isFault && { error }),
  };
}
