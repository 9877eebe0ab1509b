import Joi from 'joi';
import { uuid } from '@trunkline/http';

export const routingPreviewBody = Joi.object<{ auth_id: string; to: string }>({
  auth_id: Joi.string().max(64).required().description('The API key that would place the call'),
  to: Joi.string().max(64).required().description('Destination; normalised to E.164'),
});

const candidate = Joi.object({
  carrier_id: uuid.required(),
  carrier_name: Joi.string().allow(null).required(),
  carrier_code: Joi.string().allow(null).required(),
  owner: Joi.string().valid('account', 'platform').required().description('`platform`: a default carrier'),
  route_id: uuid.required(),
  prefix: Joi.string().required(),
  priority: Joi.number().integer().required().description("The carrier's"),
  route_priority: Joi.number().integer().required(),
  weight: Joi.number().integer().required(),
  rate: Joi.number().allow(null).required(),
  rate_currency: Joi.string().required(),
  health_status: Joi.string().valid('unknown', 'healthy', 'degraded', 'unhealthy').allow(null).required(),
  active_channels: Joi.number().integer().allow(null).required(),
  max_channels: Joi.number().integer().allow(null).required(),
  decision: Joi.string().valid('selected', 'failover', 'skipped').required(),
  reason: Joi.string().required(),
});

export const routingPreview = Joi.object({
  to_e164: Joi.string().required(),
  selected: candidate.allow(null).required(),
  candidates: Joi.array().items(candidate).required(),
}).id('RoutingPreview');
