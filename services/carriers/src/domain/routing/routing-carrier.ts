/** A carrier as the routing decision sees it (specification "Carrier"). */
export interface RoutingCarrier {
  readonly id: string;
  readonly status: 'active' | 'disabled';
  readonly healthStatus: 'unknown' | 'healthy' | 'degraded' | 'unhealthy';
  readonly carrierType: 'inbound' | 'outbound' | 'bidirectional';
  /** Higher wins. */
  readonly priority: number;
  /** An integer of at least 1. */
  readonly weight: number;
  readonly maxChannels: number;
}

/** The part of a carrier that may change without any route being ranked anew. */
export type CarrierState = Pick<RoutingCarrier, 'status' | 'healthStatus' | 'carrierType' | 'maxChannels'>;

/** What a carrier's own record says about taking calls. `full` here is a cap of zero channels. */
export type CarrierObstacle = 'carrier_disabled' | 'inbound_only' | 'unhealthy' | 'full';

/**
 * Why the carrier's record alone keeps it from taking an outbound call; undefined when it does not
 * (specification "Routing of an outbound call to a carrier", step 4). `degraded` and `unknown` are routable.
 */
export function carrierObstacle(carrier: CarrierState): CarrierObstacle | undefined {
  if (carrier.status !== 'active') return 'carrier_disabled';
  if (carrier.carrierType === 'inbound') return 'inbound_only';
  if (carrier.healthStatus === 'unhealthy') return 'unhealthy';
  if (carrier.maxChannels < 1) return 'full';
  return undefined;
}
