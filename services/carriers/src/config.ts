import Joi from 'joi';
import { defineConfig, setting } from '@trunkline/service';

export interface Config {
  healthPeriodSeconds: number;
  healthTimeoutMs: number;
  degradedAboveMs: number;
  unhealthyAfterFailures: number;
  probesInFlight: number;
  probeRetentionDays: number;
  leaseSeconds: number;
  sipTlsCaFile: string;
}

export const config = defineConfig<Config>({
  healthPeriodSeconds: setting(
    'HEALTH_CHECK_PERIOD_SECONDS',
    Joi.number().min(0.1).default(30),
    'time between two probes of a carrier',
  ),
  healthTimeoutMs: setting(
    'HEALTH_CHECK_TIMEOUT_MS',
    Joi.number().integer().min(10).default(2_000),
    'a probe without an answer by then has failed',
  ),
  degradedAboveMs: setting(
    'HEALTH_DEGRADED_ABOVE_MS',
    Joi.number().integer().min(1).default(1_000),
    'a slower success makes a carrier degraded',
  ),
  unhealthyAfterFailures: setting(
    'HEALTH_UNHEALTHY_AFTER_FAILURES',
    Joi.number().integer().min(1).default(2),
    'consecutive failures that make a carrier unhealthy',
  ),
  probesInFlight: setting(
    'HEALTH_PROBES_IN_FLIGHT',
    Joi.number().integer().min(1).default(1_000),
    'probes under way at once in one process',
  ),
  probeRetentionDays: setting(
    'HEALTH_PROBE_RETENTION_DAYS',
    Joi.number().integer().min(1).default(30),
    'how long probes are kept',
  ),
  leaseSeconds: setting(
    'CHANNEL_LEASE_SECONDS',
    Joi.number().min(0.1).default(60),
    'a channel whose lease is not renewed is free after this',
  ),
  sipTlsCaFile: setting(
    'SIP_TLS_CA_FILE',
    Joi.string().allow('').default(''),
    'PEM file of further authorities for SIP over TLS',
  ),
});
