import Joi from 'joi';
import { created, noContent, ok } from '@trunkline/http';
import { listRoutes } from '../storage/carrier-routes.js';
import { getCarrier } from '../storage/carriers.js';
import { listProbes } from '../storage/health-probes.js';
import { addRoute, removeRoute } from '../use-cases/change-routes.js';
import { allRoutes } from './carrier-operation.js';
import { probeView, routeView } from './carriers.view.js';
import { carrierParams } from './field.schemas.js';
import {
  carrierRoute,
  carrierRouteExample,
  createRouteBody,
  healthExample,
  healthProbe,
  probesQuery,
  routeParams,
} from './routes.schemas.js';

/** The routes of a carrier and its log of health probes (specification, Carriers; decisions 3 and 14). */
export const carrierRouteRoutes = [
  ...allRoutes({
    operation: ['list', 'CarrierRoutes'],
    method: 'get',
    path: '/:id/routes',
    summary: 'List the routes of a carrier, newest first',
    params: carrierParams,
    responses: {
      200: {
        description: 'The routes',
        schema: Joi.array().items(carrierRoute),
        example: [carrierRouteExample],
      },
    },
    errors: ['NOT_FOUND'],
    async handle({ db }, owner, { params }) {
      const { id } = await getCarrier(db, owner, params.id);
      return ok((await listRoutes(db, owner, id)).map(routeView));
    },
  }),
  ...allRoutes({
    operation: ['create', 'CarrierRoute'],
    method: 'post',
    path: '/:id/routes',
    summary: 'Add a prefix that the carrier takes calls for',
    params: carrierParams,
    body: createRouteBody,
    bodyExample: { prefix: '+49', rate: 0.012, rate_currency: 'EUR' },
    responses: { 201: { description: 'The route', schema: carrierRoute, example: carrierRouteExample } },
    errors: ['NOT_FOUND', 'ROUTE_EXISTS'],
    handle: async (deps, owner, { params, body }) =>
      created(routeView(await addRoute(deps, owner, params.id, body))),
  }),
  ...allRoutes({
    operation: ['delete', 'CarrierRoute'],
    method: 'delete',
    path: '/:carrier_id/routes/:route_id',
    summary: 'Delete a route',
    params: routeParams,
    responses: { 204: { description: 'Deleted' } },
    errors: ['NOT_FOUND'],
    async handle(deps, owner, { params }) {
      await removeRoute(deps, owner, params.carrier_id, params.route_id);
      return noContent();
    },
  }),
  ...allRoutes({
    operation: ['list', 'CarrierHealth'],
    method: 'get',
    path: '/:id/health',
    summary: 'List the health probes of a carrier, latest first',
    description: 'Probes are kept 30 days.',
    params: carrierParams,
    query: probesQuery,
    responses: {
      200: { description: 'The probes', schema: Joi.array().items(healthProbe), example: healthExample },
    },
    errors: ['NOT_FOUND'],
    async handle({ db }, owner, { params, query }) {
      const { id } = await getCarrier(db, owner, params.id);
      return ok((await listProbes(db, id, query.limit)).map(probeView));
    },
  }),
];
