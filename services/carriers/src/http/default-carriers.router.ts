import Joi from 'joi';
import { ok, readOnly, routesOf } from '@trunkline/http';
import type { Deps } from '../deps.js';
import { findSwitches, type DefaultCarrierSwitches } from '../storage/default-carrier-settings.js';
import { switchDefaultCarriers } from '../use-cases/switch-default-carriers.js';
import { bothForms } from './carrier-operation.js';
import { carrierParams as accountParams } from './field.schemas.js';
import { CARRIERS, DEFAULT_CARRIERS } from './tags.js';

const route = routesOf<Deps>();
const enabled = Joi.boolean().required();

const accountSwitch = {
  description: 'The default carriers are in the pool while both are true',
  schema: Joi.object({ enabled, operator_enabled: enabled.description('Set by the operator') }).id(
    'DefaultCarriers',
  ),
  example: { enabled: false, operator_enabled: true },
};
const operatorSwitch = {
  description: 'The default carriers are in the pool while both are true',
  schema: Joi.object({ enabled, account_enabled: enabled.description('Set by the account') }).id(
    'AccountDefaultCarriers',
  ),
  example: { enabled: false, account_enabled: true },
};
const accountBody = Joi.object<{ enabled: boolean }>({ enabled, ...readOnly('operator_enabled') });
const operatorBody = Joi.object<{ enabled: boolean }>({ enabled, ...readOnly('account_enabled') });

/** Whether the default carriers are in an account's pool (decisions 3 and 14). The switch is one per account, not per key. */
export const defaultCarrierRoutes = [
  ...bothForms('getDefaultCarriers', '/default-carriers', ({ pathParams, ...form }) =>
    route({
      ...form,
      audience: 'account',
      tag: CARRIERS,
      method: 'get',
      summary: 'Read whether the default carriers take your calls',
      params: Joi.object(pathParams),
      responses: { 200: accountSwitch },
      errors: [],
      handle: async ({ db }, { caller }) => ok(accountView(await findSwitches(db, caller.account_id))),
    }),
  ),
  ...bothForms('changeDefaultCarriers', '/default-carriers', ({ pathParams, ...form }) =>
    route({
      ...form,
      audience: 'account',
      tag: CARRIERS,
      method: 'put',
      summary: 'Take the default carriers into your pool or out of it',
      params: Joi.object(pathParams),
      body: accountBody,
      bodyExample: { enabled: false },
      responses: { 200: accountSwitch },
      errors: [],
      handle: async (deps, { caller, body }) =>
        ok(
          accountView(await switchDefaultCarriers(deps, caller.account_id, { accountEnabled: body.enabled })),
        ),
    }),
  ),
  route({
    operationId: 'getAccountDefaultCarriers',
    audience: 'operator',
    tag: DEFAULT_CARRIERS,
    method: 'get',
    path: '/operator/v1/accounts/:id/default-carriers',
    summary: 'Read whether the default carriers take the calls of an account',
    params: accountParams,
    responses: { 200: operatorSwitch },
    errors: ['NOT_FOUND'],
    handle: async ({ db }, { params }) => ok(operatorView(await findSwitches(db, params.id))),
  }),
  route({
    operationId: 'changeAccountDefaultCarriers',
    audience: 'operator',
    tag: DEFAULT_CARRIERS,
    method: 'put',
    path: '/operator/v1/accounts/:id/default-carriers',
    summary: 'Take the default carriers into the pool of an account or out of it',
    params: accountParams,
    body: operatorBody,
    bodyExample: { enabled: false },
    responses: { 200: operatorSwitch },
    errors: ['NOT_FOUND'],
    handle: async (deps, { params, body }) =>
      ok(operatorView(await switchDefaultCarriers(deps, params.id, { operatorEnabled: body.enabled }))),
  }),
];

function accountView({ accountEnabled, operatorEnabled }: DefaultCarrierSwitches) {
  return { enabled: accountEnabled, operator_enabled: operatorEnabled };
}

function operatorView({ accountEnabled, operatorEnabled }: DefaultCarrierSwitches) {
  return { enabled: operatorEnabled, account_enabled: accountEnabled };
}
