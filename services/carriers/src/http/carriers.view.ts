import type { CarrierRoute } from '../storage/carrier-routes.js';
import type { Carrier } from '../storage/carriers.js';
import type { HealthProbe } from '../storage/health-probes.js';

/** Exactly the fields of the specification: the password is not among them. */
export function carrierView(carrier: Carrier) {
  return {
    id: carrier.id,
    name: carrier.name,
    code: carrier.code,
    carrier_type: carrier.carrierType,
    sip_host: carrier.sipHost,
    sip_port: carrier.sipPort,
    transport: carrier.transport,
    auth_username: carrier.authUsername,
    max_channels: carrier.maxChannels,
    active_channels: carrier.channels?.active ?? 0,
    priority: carrier.priority,
    weight: carrier.weight,
    health_check_url: carrier.healthCheckUrl,
    config: carrier.config,
    status: carrier.status,
    health_status: carrier.health?.status ?? 'unknown',
    codec_preferences: carrier.codecPreferences,
    country_code: carrier.countryCode,
    created_at: carrier.createdAt.toISOString(),
  };
}

export function routeView(route: CarrierRoute) {
  return {
    id: route.id,
    carrier_id: route.carrierId,
    prefix: route.prefix,
    priority: route.priority,
    rate: route.rate && route.rate.toNumber(),
    rate_currency: route.rateCurrency,
    status: route.status,
    created_at: route.createdAt.toISOString(),
  };
}

export function probeView(probe: HealthProbe) {
  return {
    id: probe.id,
    carrier_id: probe.carrierId,
    status: probe.status,
    ...(probe.responseTimeMs !== null && { response_time_ms: probe.responseTimeMs }),
    ...(probe.errorMessage !== null && { error_message: probe.errorMessage }),
    created_at: probe.createdAt.toISOString(),
  };
}
