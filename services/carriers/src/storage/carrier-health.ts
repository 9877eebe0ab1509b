import type { HealthState } from '../domain/health/health-state.js';
import type { ProbedCarrier } from '../domain/health/probe-target.js';
import type { Db } from './database.js';

/** A carrier whose probe this replica has to make. */
export interface ClaimedCarrier extends ProbedCarrier {
  id: string;
  /** Tells whether the carrier was edited while it was probed. */
  updatedAt: Date;
  /** Database clock, in milliseconds; grows with every claim of the carrier. */
  claimedAt: Date;
}

export interface CarrierHealthRow extends HealthState {
  carrierId: string;
  /** The claim behind the last result that counted. */
  lastProbeAt: Date | null;
  owner: string;
  /** Null for a default carrier. */
  tenantId: string | null;
  code: string;
  name: string;
  updatedAt: Date;
}

/**
 * Takes the probes that are due, the longest waiting first. Claiming moves `next_probe_at` as `nextProbeAt`
 * (domain/health/probe-schedule.ts) does, so exactly one replica probes a carrier per period; when it dies, the next
 * period's probe stands in. Carriers that are not probed are taken too: left lying, every claim would scan them.
 */
export async function claimDueProbes(db: Db, periodMs: number, limit: number): Promise<ClaimedCarrier[]> {
  return db.$queryRaw<ClaimedCarrier[]>`
    with clock as (
      select floor(extract(epoch from now()) * 1000)::bigint as ms, ${periodMs}::bigint as period
    ), due as (
      select carrier_id from carrier_health where next_probe_at <= now()
      order by next_probe_at limit ${limit} for update skip locked
    ), phases as (
      select carrier_id,
        ((('x' || right(carrier_id::text, 7))::bit(28)::bigint * 2654435761) & 4294967295) % period as phase
      from due, clock
    ), claimed as (
      update carrier_health h
      set next_probe_at = timestamptz 'epoch' + (ms - (ms - phase) % period + period) * interval '1 millisecond'
      from phases, clock where h.carrier_id = phases.carrier_id
      returning h.carrier_id
    )
    select c.id, c.status, c.sip_host as "sipHost", c.sip_port as "sipPort", c.transport,
      c.health_check_url as "healthCheckUrl", c.updated_at as "updatedAt",
      date_trunc('milliseconds', now()) as "claimedAt"
    from claimed join carriers c on c.id = claimed.carrier_id`;
}

/** What is known of these carriers, kept from other writers until the transaction ends; deleted ones are left out. */
export async function lockHealth(db: Db, carrierIds: readonly string[]): Promise<CarrierHealthRow[]> {
  // In one order everywhere, so that two replicas never wait for each other.
  return db.$queryRaw<CarrierHealthRow[]>`
    select h.carrier_id as "carrierId", h.status, h.consecutive_failures as "consecutiveFailures",
      h.last_probe_at as "lastProbeAt", c.owner, c.tenant_id as "tenantId", c.code, c.name, c.updated_at as "updatedAt"
    from carrier_health h join carriers c on c.id = h.carrier_id
    where h.carrier_id = any(${carrierIds}::uuid[])
    order by h.carrier_id for no key update of h`;
}

/** Writes states whose rows the transaction holds. */
export async function saveHealth(db: Db, rows: readonly CarrierHealthRow[]): Promise<void> {
  const written = rows.map(({ carrierId, status, consecutiveFailures, lastProbeAt }) => ({
    carrier_id: carrierId,
    status,
    failures: consecutiveFailures,
    probed_at: lastProbeAt,
  }));
  await db.$executeRaw`
    update carrier_health h
    set status = w.status, consecutive_failures = w.failures, last_probe_at = w.probed_at
    from jsonb_to_recordset(${JSON.stringify(written)}::jsonb)
      as w(carrier_id uuid, status text, failures int, probed_at timestamptz)
    where h.carrier_id = w.carrier_id`;
}
