import Joi from 'joi';
import { defineConfig, setting } from '@trunkline/service';

export interface Config {
  operatorToken: string;
  operatorHost: string;
  operatorPort: number;
  upstreams: string;
  upstreamTimeoutMs: number;
  upstreamConnections: number;
  rateLimitPerSecond: number;
  rateLimitBurst: number;
  publicUrl: string;
  apiFile: string;
}

export const config = defineConfig<Config>({
  operatorToken: setting(
    'OPERATOR_TOKEN',
    Joi.string().min(32).required(),
    'bearer token of the operator API',
  ),
  operatorHost: setting('OPERATOR_HOST', Joi.string().default('0.0.0.0'), 'address of the operator API'),
  operatorPort: setting('OPERATOR_PORT', Joi.number().port().default(8081), 'port of the operator API'),
  upstreams: setting(
    'UPSTREAMS',
    Joi.string().allow('').default(''),
    'service=url pairs, comma-separated; others are http://<service>:3000',
  ),
  upstreamTimeoutMs: setting(
    'UPSTREAM_TIMEOUT_MS',
    Joi.number().integer().min(1).default(15_000),
    'a service that has not begun to answer by then is down',
  ),
  upstreamConnections: setting(
    'UPSTREAM_CONNECTIONS',
    Joi.number().integer().min(1).default(64),
    'connections to one service',
  ),
  rateLimitPerSecond: setting(
    'RATE_LIMIT_PER_SECOND',
    Joi.number().min(0).default(0),
    'requests a second of one Auth ID on one replica; 0 is no limit',
  ),
  rateLimitBurst: setting(
    'RATE_LIMIT_BURST',
    Joi.number().integer().min(1).default(200),
    'requests of one Auth ID at once',
  ),
  publicUrl: setting(
    'PUBLIC_URL',
    Joi.string().uri().default('http://127.0.0.1:8080'),
    'address of the API, as the API document shows it',
  ),
  apiFile: setting(
    'API_FILE',
    Joi.string().allow('').default(''),
    'description of all operations, written by the build',
  ),
});
