/** What `services/carriers` answers and tells. */
import Joi from 'joi';
import { defineOperation } from './contract.js';
import { defineEvent } from './events.js';

const uuid = Joi.string().uuid();

export interface ReserveRequest {
  auth_id: string;
  account_id: string;
  /** The account's currency: least-cost routing compares rates in it. */
  currency: string;
  /** Destination; normalised to E.164 by the carriers service. */
  to: string;
  /** Carriers this call has tried already: the failover list goes on behind them. */
  exclude_carrier_ids?: string[];
}

export interface ReservedCarrier {
  lease_id: string;
  /** ISO 8601; the lease frees itself then unless it is renewed. */
  expires_at: string;
  to_e164: string;
  carrier: {
    id: string;
    sip_host: string;
    sip_port: number;
    transport: 'udp' | 'tcp' | 'tls';
    auth_username: string | null;
    auth_password: string | null;
    codec_preferences: string[];
    config: string | null;
  };
  route: { id: string; prefix: string; rate: number | null; rate_currency: string };
}

/**
 * Decides the route and takes a channel on the chosen carrier: an atomic reservation, held by a lease.
 * Errors: VALIDATION_FAILED (`to` is no telephone number), NO_CARRIER_AVAILABLE.
 */
export const reserve = defineOperation<ReserveRequest, ReservedCarrier>('carriers.reserve', {
  request: Joi.object({
    auth_id: Joi.string().required(),
    account_id: uuid.required(),
    currency: Joi.string().length(3).required(),
    to: Joi.string().max(64).required(),
    exclude_carrier_ids: Joi.array().items(uuid).max(100),
  }),
  reply: Joi.object({
    lease_id: uuid.required(),
    expires_at: Joi.string().required(),
    to_e164: Joi.string().required(),
    carrier: Joi.object({
      id: uuid.required(),
      sip_host: Joi.string().required(),
      sip_port: Joi.number().required(),
      transport: Joi.string().valid('udp', 'tcp', 'tls').required(),
      auth_username: Joi.string().allow(null).required(),
      auth_password: Joi.string().allow(null).required(),
      codec_preferences: Joi.array().items(Joi.string()).required(),
      config: Joi.string().allow(null).required(),
    }).required(),
    route: Joi.object({
      id: uuid.required(),
      prefix: Joi.string().required(),
      rate: Joi.number().allow(null).required(),
      rate_currency: Joi.string().required(),
    }).required(),
  }),
});

/** Keeps channels taken for another lease period. `lost` lists leases that had expired: their channels are gone. */
export const renew = defineOperation<{ lease_ids: string[] }, { expires_at: string; lost: string[] }>(
  'carriers.renew',
  {
    request: Joi.object({ lease_ids: Joi.array().items(uuid).min(1).max(1_000).required() }),
    reply: Joi.object({ expires_at: Joi.string().required(), lost: Joi.array().items(uuid).required() }),
  },
);

/** Gives channels back; a lease that is gone already is no error. */
export const release = defineOperation<{ lease_ids: string[] }, { released: number }>('carriers.release', {
  request: Joi.object({ lease_ids: Joi.array().items(uuid).min(1).max(1_000).required() }),
  reply: Joi.object({ released: Joi.number().required() }),
});

/** A carrier of an account stopped answering its probes, or answers again (decisions 3). */
export interface CarrierHealthChanged {
  carrier_id: string;
  code: string;
  name: string;
  health_status: 'healthy' | 'degraded' | 'unhealthy';
  /** Why the last probe failed; null when it is healthy again. */
  error_message: string | null;
  /** ISO 8601: when the probe was made that changed the state. */
  changed_at: string;
}

const carrierHealthChanged = Joi.object<CarrierHealthChanged>({
  carrier_id: uuid.required(),
  code: Joi.string().required(),
  name: Joi.string().required(),
  health_status: Joi.string().valid('healthy', 'degraded', 'unhealthy').required(),
  error_message: Joi.string().allow('', null).required(),
  changed_at: Joi.string().isoDate().required(),
});

/** No call leaves through it until `carrier.healthy`. Default carriers, which are nobody's, publish neither. */
export const carrierUnhealthy = defineEvent('carrier.unhealthy', carrierHealthChanged);

/** An unhealthy carrier takes calls again; `health_status` says whether it is merely degraded. */
export const carrierHealthy = defineEvent('carrier.healthy', carrierHealthChanged);
