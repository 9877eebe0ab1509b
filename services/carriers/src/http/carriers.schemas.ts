import Joi from 'joi';
import { readOnly, uuid } from '@trunkline/http';
import { CARRIER_CODE, MAX_CODE_LENGTH } from '../domain/carrier/carrier-code.js';
import { isSipHost, MAX_HOST_LENGTH } from '../domain/carrier/sip-host.js';
import type { CarrierFields } from '../use-cases/carrier-fields.js';
import type { NewCarrierFields } from '../use-cases/create-carrier.js';
import { oneLine, timestamp } from './field.schemas.js';

/** 16 KiB. */
const MAX_CONFIG_BYTES = 16_384;

const name = oneLine(200)
  .pattern(/\S/, 'visible')
  .messages({ 'string.pattern.name': '{{#label}} must not be blank' });
const code = Joi.string()
  .max(MAX_CODE_LENGTH)
  .pattern(CARRIER_CODE)
  .messages({ 'string.pattern.base': '{{#label}} must be lower-case words joined by single hyphens' })
  .description('Short identifier, unique per owner; made from `name` when it is left out');
const carrierType = Joi.string<CarrierFields['carrier_type']>().valid('inbound', 'outbound', 'bidirectional');
const sipHost = Joi.string()
  .max(MAX_HOST_LENGTH)
  .custom((value: string, { error }) => (isSipHost(value) ? value : error('host')))
  .messages({ host: '{{#label}} must be a host name, an IPv4 or an IPv6 address, without port or brackets' })
  .description('Host name, IPv4 or IPv6 literal; required unless `carrier_type` is `inbound`');
const sipPort = Joi.number().integer().min(1).max(65_535);
const transport = Joi.string<CarrierFields['transport']>().valid('udp', 'tcp', 'tls');
const authUsername = oneLine(255).description('SIP digest username');
const authPassword = oneLine(255).description('SIP digest password: stored encrypted, never returned');
const maxChannels = Joi.number().integer().min(1).max(1_000_000).description('Concurrent calls');
const priority = Joi.number().integer().min(0).max(1_000_000).description('Higher wins');
const weight = Joi.number().integer().min(1).max(1_000).description('Round-robin weight among equals');
const healthCheckUrl = Joi.string()
  .max(2_048)
  .description('https URL that is fetched with GET for health checks instead of a SIP OPTIONS ping');
const config = Joi.string()
  .max(MAX_CONFIG_BYTES, 'utf8')
  .custom((value: string, { error }) => (isJson(value) ? value : error('json')))
  .messages({ json: '{{#label}} must be JSON text' })
  .description('JSON text with overrides for this carrier, up to 16 KiB');
const status = Joi.string<CarrierFields['status']>().valid('active', 'disabled');
const codec = Joi.string()
  .pattern(/^[A-Za-z0-9._-]{1,32}$/)
  .messages({ 'string.pattern.base': '{{#label}} must be the name of a codec' });
// The first problem is enough: a list far too long is not looked through.
const codecPreferences = Joi.array().max(20).items(codec).unique().prefs({ abortEarly: true });
const countryCode = Joi.string()
  .pattern(/^[A-Z]{2}$/)
  .messages({ 'string.pattern.base': '{{#label}} must be two upper-case letters' })
  .description('ISO 3166-1 alpha-2');

/** On create every carrier is active. */
export const createCarrierBody = Joi.object<NewCarrierFields>({
  name: name.required(),
  code,
  carrier_type: carrierType.default('outbound'),
  sip_host: sipHost.allow(null).default(null),
  sip_port: sipPort.default(5060),
  transport: transport.default('udp'),
  auth_username: authUsername.allow(null).default(null),
  auth_password: authPassword.allow(null).default(null),
  max_channels: maxChannels.default(100),
  priority: priority.default(100),
  weight: weight.default(1),
  health_check_url: healthCheckUrl.allow(null).default(null),
  config: config.allow(null).default(null),
  codec_preferences: codecPreferences.default([]),
  country_code: countryCode.allow(null).default(null),
  ...readOnly('id', 'active_channels', 'status', 'health_status', 'created_at'),
});

/** Only the keys present are applied; null clears. */
export const changeCarrierBody = Joi.object<Partial<CarrierFields>>({
  name,
  code,
  carrier_type: carrierType,
  sip_host: sipHost.allow(null),
  sip_port: sipPort,
  transport,
  auth_username: authUsername.allow(null),
  auth_password: authPassword.allow(null),
  max_channels: maxChannels,
  priority,
  weight,
  health_check_url: healthCheckUrl.allow(null),
  config: config.allow(null),
  status,
  codec_preferences: codecPreferences,
  country_code: countryCode.allow(null),
  ...readOnly('id', 'active_channels', 'health_status', 'created_at'),
});

export const carrier = Joi.object({
  id: uuid.required(),
  name: name.required(),
  code: code.required(),
  carrier_type: carrierType.required(),
  sip_host: sipHost.allow(null).required(),
  sip_port: sipPort.required(),
  transport: transport.required(),
  auth_username: authUsername.allow(null).required(),
  max_channels: maxChannels.required(),
  active_channels: Joi.number().integer().min(0).required().description('Calls on the carrier now'),
  priority: priority.required(),
  weight: weight.required(),
  health_check_url: healthCheckUrl.allow(null).required(),
  config: config.allow(null).required(),
  status: status.required(),
  health_status: Joi.string().valid('unknown', 'healthy', 'degraded', 'unhealthy').required(),
  codec_preferences: codecPreferences.required(),
  country_code: countryCode.allow(null).required(),
  created_at: timestamp.required(),
}).id('Carrier');

export const carrierExample = {
  id: '7f0c2b1e-5d3a-4c68-9a41-2f6f0f3f9b10',
  name: 'Acme SIP',
  code: 'acme-sip',
  carrier_type: 'outbound',
  sip_host: 'sip.acme.example',
  sip_port: 5060,
  transport: 'udp',
  auth_username: 'acme',
  max_channels: 100,
  active_channels: 0,
  priority: 100,
  weight: 1,
  health_check_url: null,
  config: null,
  status: 'active',
  health_status: 'unknown',
  codec_preferences: ['PCMU', 'opus'],
  country_code: 'DE',
  created_at: '2026-11-20T09:00:00.000Z',
};

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
