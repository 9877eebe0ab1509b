import type Joi from 'joi';
import type { ErrorCode } from '@trunkline/errors';
import type { Caller } from './caller.js';

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** Who may call: an account through the public port, or the operator through the operator port. */
export type Audience = Caller['kind'];

export interface Reply {
  status: 200 | 201 | 202 | 204;
  body?: unknown;
}

/** An area of the API, as the documentation groups operations. */
export interface Tag {
  name: string;
  description: string;
}

export const ok = (body: unknown): Reply => ({ status: 200, body });
export const created = (body: unknown): Reply => ({ status: 201, body });
export const noContent = (): Reply => ({ status: 204 });

export interface RouteRequest<A extends Audience, Params, Query, Body> {
  caller: Extract<Caller, { kind: A }>;
  params: Params;
  query: Query;
  body: Body;
  requestId: string;
}

/** What a success looks like; `example` is shown in the documentation and checked against `schema` by a test. */
export interface RouteResponse {
  description: string;
  schema?: Joi.Schema;
  example?: unknown;
}

/**
 * One operation of the API: the express route, its validation, the gateway's table and the OpenAPI document all come from here.
 * `:name` marks a path parameter; `:auth_id` and its spellings `:accountID`, `:account_id` must be the caller's own Auth ID.
 */
export interface Route<Deps, A extends Audience, Params, Query, Body> {
  /** Unique and stable; client libraries take their method names from it. */
  operationId: string;
  method: Method;
  path: string;
  audience: A;
  tag: Tag;
  summary: string;
  description?: string;
  /** One schema a parameter. A value that does not fit is no such record: 404, not 400 (decisions 2). */
  params?: Joi.ObjectSchema<Params>;
  query?: Joi.ObjectSchema<Query>;
  body?: Joi.ObjectSchema<Body>;
  bodyExample?: unknown;
  responses: Partial<Record<Reply['status'], RouteResponse>>;
  /** Beyond what every operation may answer (401, 403, 429, 503 …). */
  errors: readonly ErrorCode[];
  handle(deps: Deps, request: RouteRequest<A, Params, Query, Body>): Promise<Reply>;
}

/** A route whose types its own definition has already checked. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type AnyRoute<Deps = any> = Route<Deps, any, any, any, any>;

type NoFields = Record<string, never>;

/** Gives the `route` function of a service; request types are inferred from the schemas. */
export function routesOf<Deps>() {
  return <A extends Audience, Params = NoFields, Query = NoFields, Body = undefined>(
    route: Route<Deps, A, Params, Query, Body>,
  ): AnyRoute<Deps> => route;
}
