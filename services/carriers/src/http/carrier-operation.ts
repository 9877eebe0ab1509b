import Joi from 'joi';
import { routesOf, type AnyRoute, type Reply } from '@trunkline/http';
import type { Deps } from '../deps.js';
import { PLATFORM } from '../storage/carriers.js';
import { CARRIERS, DEFAULT_CARRIERS } from './tags.js';

const route = routesOf<Deps>();
const authId = Joi.string().pattern(/^TJ[0-9A-Fa-f]{8}$/);

type NoFields = Record<string, never>;
type Described = 'method' | 'summary' | 'description' | 'bodyExample' | 'responses' | 'errors';

/** An operation on the records of one owner: an account's own, or the platform's (the default carriers). */
export interface CarrierOperation<Params, Query, Body> extends Pick<AnyRoute, Described> {
  /** `['create', 'CarrierRoute']` is operation `createCarrierRoute`, and `createDefaultCarrierRoute` for the operator. */
  operation: readonly [verb: string, noun: string];
  /** Behind `carriers`, such as `/:id`. */
  path: string;
  params?: Joi.ObjectSchema<Params>;
  query?: Joi.ObjectSchema<Query>;
  body?: Joi.ObjectSchema<Body>;
  /** `tenantId` is null for the platform's records. */
  handle(
    deps: Deps,
    owner: string,
    request: { params: Params; query: Query; body: Body; tenantId: string | null },
  ): Promise<Reply>;
}

/** Both public forms of a path: `/v1/account/{auth_id}/…` and, without the Auth ID, `/v1/…` (specification, Carriers). */
export function bothForms(
  operationId: string,
  path: string,
  makeRoute: (form: PublicForm) => AnyRoute<Deps>,
) {
  return [
    makeRoute({
      operationId,
      path: `/v1/account/:auth_id${path}`,
      pathParams: { auth_id: authId.required() },
    }),
    makeRoute({ operationId: `${operationId}IdOnly`, path: `/v1${path}`, pathParams: {} }),
  ];
}

interface PublicForm {
  operationId: string;
  path: string;
  pathParams: Joi.PartialSchemaMap;
}

/** The operation for accounts, on their own carriers. */
export function publicRoutes<Params = NoFields, Query = NoFields, Body = undefined>(
  operation: CarrierOperation<Params, Query, Body>,
): AnyRoute<Deps>[] {
  const { operation: words, path, handle, params = Joi.object(), ...rest } = operation;
  return bothForms(words.join(''), `/carriers${path}`, ({ pathParams, ...form }) =>
    route({
      ...rest,
      ...form,
      audience: 'account',
      tag: CARRIERS,
      params: params.append(pathParams) as Joi.ObjectSchema<Params>,
      handle: (deps, { caller, ...request }) =>
        handle(deps, caller.auth_id, { ...request, tenantId: caller.tenant_id }),
    }),
  );
}

/** The same operation for the operator, on the default carriers. */
export function operatorRoute<Params = NoFields, Query = NoFields, Body = undefined>(
  operation: CarrierOperation<Params, Query, Body>,
): AnyRoute<Deps> {
  const { operation: words, path, handle, ...rest } = operation;
  return route({
    ...rest,
    operationId: words.join('Default'),
    path: `/operator/v1/default-carriers${path}`,
    audience: 'operator',
    tag: DEFAULT_CARRIERS,
    handle: (deps, request) => handle(deps, PLATFORM, { ...request, tenantId: null }),
  });
}

/** The operation for accounts and for the operator. */
export function allRoutes<Params = NoFields, Query = NoFields, Body = undefined>(
  operation: CarrierOperation<Params, Query, Body>,
): AnyRoute<Deps>[] {
  return [...publicRoutes(operation), operatorRoute(operation)];
}
