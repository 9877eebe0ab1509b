import Joi from 'joi';
import { readOnly, uuid } from '@trunkline/http';
import type { RouteFields } from '../use-cases/change-routes.js';
import { timestamp } from './field.schemas.js';

const prefix = Joi.string()
  .pattern(/^\+[0-9]{0,15}$/)
  .messages({ 'string.pattern.base': '{{#label}} must be a plus sign and up to 15 digits' })
  .description('E.164 prefix; a bare `+` matches every number');
const priority = Joi.number().integer().min(0).max(1_000_000).description('Higher wins');
const rate = Joi.number().min(0).max(1_000_000).precision(6).allow(null).description('Per minute');
const rateCurrency = Joi.string()
  .pattern(/^[A-Z]{3}$/)
  .messages({ 'string.pattern.base': '{{#label}} must be three upper-case letters' })
  .description('ISO 4217');

export const routeParams = Joi.object<{ carrier_id: string; route_id: string }>({
  carrier_id: uuid.required(),
  route_id: uuid.required(),
});

export const createRouteBody = Joi.object<RouteFields>({
  prefix: prefix.required(),
  priority: priority.default(100),
  rate: rate.default(null),
  rate_currency: rateCurrency.default('USD'),
  ...readOnly('id', 'carrier_id', 'status', 'created_at'),
});

export const carrierRoute = Joi.object({
  id: uuid.required(),
  carrier_id: uuid.required(),
  prefix: prefix.required(),
  priority: priority.required(),
  rate: rate.required(),
  rate_currency: rateCurrency.required(),
  status: Joi.string().valid('active').required(),
  created_at: timestamp.required(),
}).id('CarrierRoute');

export const carrierRouteExample = {
  id: '1c9d4f7a-8b60-4a0e-b1d5-6e2f9a7c3d21',
  carrier_id: '7f0c2b1e-5d3a-4c68-9a41-2f6f0f3f9b10',
  prefix: '+49',
  priority: 100,
  rate: 0.012,
  rate_currency: 'EUR',
  status: 'active',
  created_at: '2026-11-20T09:05:00.000Z',
};

export const probesQuery = Joi.object<{ limit: number }>({
  limit: Joi.number().integer().min(1).max(1_000).default(100).description('How many of the latest probes'),
});

export const healthProbe = Joi.object({
  id: uuid.required(),
  carrier_id: uuid.required(),
  status: Joi.string().valid('healthy', 'unhealthy').required(),
  response_time_ms: Joi.number().integer().min(0).description('Only of a probe that succeeded'),
  error_message: Joi.string().description('Only of a probe that failed'),
  created_at: timestamp.required(),
}).id('HealthProbe');

const probe = { carrier_id: carrierRouteExample.carrier_id, created_at: '2026-11-20T09:06:00.000Z' };
export const healthExample = [
  { ...probe, id: '5b7a2e90-3c1d-4f86-8e0b-9d4c6a1f7e32', status: 'healthy', response_time_ms: 42 },
  {
    ...probe,
    id: '2a8f6c13-7e4b-4d95-a0c7-1b3e5d9f8a43',
    status: 'unhealthy',
    error_message: 'timeout',
    created_at: '2026-11-20T09:05:30.000Z',
  },
];
