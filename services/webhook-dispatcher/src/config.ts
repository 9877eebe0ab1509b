import Joi from 'joi';
import { defineConfig, setting } from '@trunkline/service';

export interface Config {
  headerBrand: string;
  attemptsInFlight: number;
  leaseMarginMs: number;
  rememberHours: number;
}

export const config = defineConfig<Config>({
  headerBrand: setting(
    'WEBHOOK_HEADER_BRAND',
    Joi.string()
      .pattern(/^[A-Za-z0-9]+(-[A-Za-z0-9]+)*$/)
      .max(40)
      .default('Service'),
    'stands in the names of the headers, such as X-Service-Event',
  ),
  attemptsInFlight: setting(
    'WEBHOOK_ATTEMPTS_IN_FLIGHT',
    Joi.number().integer().min(1).max(20_000).default(1_000),
    'attempts under way at once in one process',
  ),
  leaseMarginMs: setting(
    'WEBHOOK_LEASE_MARGIN_MS',
    Joi.number().integer().min(100).default(15_000),
    'an attempt without a result this long after its time-out is made again',
  ),
  rememberHours: setting(
    'WEBHOOK_REMEMBER_HOURS',
    Joi.number().min(0.001).default(168),
    'how long a delivery that comes again is recognised; as long as the topic keeps messages',
  ),
});
