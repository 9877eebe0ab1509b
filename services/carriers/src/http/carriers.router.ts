import Joi from 'joi';
import {
  created,
  noContent,
  ok,
  pageQuery,
  paginated,
  paginatedSchema,
  window,
  type Page,
} from '@trunkline/http';
import { countCarriers, getCarrier, listCarriers } from '../storage/carriers.js';
import { changeCarrier } from '../use-cases/change-carrier.js';
import { createCarrier } from '../use-cases/create-carrier.js';
import { removeCarrier } from '../use-cases/remove-carrier.js';
import { allRoutes, operatorRoute, publicRoutes } from './carrier-operation.js';
import { carrier, carrierExample, changeCarrierBody, createCarrierBody } from './carriers.schemas.js';
import { carrierView } from './carriers.view.js';
import { carrierParams } from './field.schemas.js';

/** Carriers of an account, and the same for the default carriers (specification, Carriers; decisions 3 and 14). */
export const carrierRoutes = [
  ...allRoutes({
    operation: ['create', 'Carrier'],
    method: 'post',
    path: '',
    summary: 'Register a carrier',
    description: '`auth_password` is stored encrypted and never returned.',
    body: createCarrierBody,
    bodyExample: {
      name: 'Acme SIP',
      sip_host: 'sip.acme.example',
      auth_username: 'acme',
      auth_password: 'a-long-secret',
    },
    responses: { 201: { description: 'The carrier', schema: carrier, example: carrierExample } },
    errors: ['CODE_TAKEN'],
    handle: async (deps, owner, { body, tenantId }) =>
      created(carrierView(await createCarrier(deps, { owner, tenantId }, body))),
  }),
  ...publicRoutes({
    operation: ['list', 'Carriers'],
    method: 'get',
    path: '',
    summary: 'List your carriers, newest first',
    responses: {
      200: { description: 'The carriers', schema: Joi.array().items(carrier), example: [carrierExample] },
    },
    errors: [],
    handle: async ({ db }, owner) => ok((await listCarriers(db, owner)).map(carrierView)),
  }),
  operatorRoute({
    operation: ['list', 'Carriers'],
    method: 'get',
    path: '',
    summary: 'List the default carriers, newest first',
    query: Joi.object<Page>(pageQuery),
    responses: {
      200: {
        description: 'A page of carriers',
        schema: paginatedSchema(carrier),
        example: paginated([carrierExample], 1, { page: 1, per_page: 20 }),
      },
    },
    errors: [],
    async handle({ db }, owner, { query }) {
      const [page, total] = await Promise.all([
        listCarriers(db, owner, window(query)),
        countCarriers(db, owner),
      ]);
      return ok(paginated(page.map(carrierView), total, query));
    },
  }),
  ...allRoutes({
    operation: ['get', 'Carrier'],
    method: 'get',
    path: '/:id',
    summary: 'Read a carrier',
    params: carrierParams,
    responses: { 200: { description: 'The carrier', schema: carrier, example: carrierExample } },
    errors: ['NOT_FOUND'],
    handle: async ({ db }, owner, { params }) => ok(carrierView(await getCarrier(db, owner, params.id))),
  }),
  ...allRoutes({
    operation: ['change', 'Carrier'],
    method: 'put',
    path: '/:id',
    summary: 'Change a carrier',
    description:
      'Only the keys present are applied; null clears. A `disabled` carrier takes no calls and keeps its configuration.',
    params: carrierParams,
    body: changeCarrierBody,
    bodyExample: { priority: 200, status: 'disabled' },
    responses: {
      200: {
        description: 'The changed carrier',
        schema: carrier,
        example: { ...carrierExample, priority: 200, status: 'disabled' },
      },
    },
    errors: ['NOT_FOUND', 'CODE_TAKEN'],
    handle: async (deps, owner, { params, body }) =>
      ok(carrierView(await changeCarrier(deps, owner, params.id, body))),
  }),
  ...allRoutes({
    operation: ['delete', 'Carrier'],
    method: 'delete',
    path: '/:id',
    summary: 'Delete a carrier and its routes',
    description: 'Calls that are on it finish; no new call leaves through it.',
    params: carrierParams,
    responses: { 204: { description: 'Deleted' } },
    errors: ['NOT_FOUND'],
    async handle(deps, owner, { params }) {
      await removeCarrier(deps, owner, params.id);
      return noContent();
    },
  }),
];
