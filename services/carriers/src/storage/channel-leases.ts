import { Prisma, type Db } from './database.js';

/**
 * A taken channel is a lease (`channel_leases`); `carrier_channels.active` is the number of leases of a carrier.
 * Only the statements here write either, and each changes both, so the two never differ. They take their locks in one
 * order, leases by id, then counters by carrier, so they never wait for each other in a circle. The database's clock decides.
 */
export interface TakenChannel {
  expiresAt: Date;
  sipHost: string;
  sipPort: number;
  transport: string;
  authUsername: string | null;
  authPasswordSealed: string | null;
  codecPreferences: string[];
  config: string | null;
}

/**
 * Takes a channel of a carrier, and answers how to reach it; undefined when it has none left, is disabled or gone.
 * Of statements that race for the last channel the later ones wait for the counter's row and then look at it again.
 */
export async function takeChannel(
  db: Db,
  { leaseId, carrierId, leaseSeconds }: { leaseId: string; carrierId: string; leaseSeconds: number },
): Promise<TakenChannel | undefined> {
  const [taken] = await db.$queryRaw<TakenChannel[]>`
    with taken as (
      update carrier_channels c set active = c.active + 1
      from carriers k
      where c.carrier_id = ${carrierId}::uuid and k.id = c.carrier_id and c.active < k.max_channels
        and k.status = 'active' and k.carrier_type <> 'inbound' and k.sip_host is not null
      returning k.id, k.sip_host, k.sip_port, k.transport, k.auth_username, k.auth_password_sealed,
        k.codec_preferences, k.config
    ), lease as (
      insert into channel_leases (id, carrier_id, expires_at)
      select ${leaseId}::uuid, id, now() + ${leaseSeconds}::float8 * interval '1 second' from taken
      returning expires_at
    )
    select expires_at as "expiresAt", sip_host as "sipHost", sip_port as "sipPort", transport,
      auth_username as "authUsername", auth_password_sealed as "authPasswordSealed",
      codec_preferences as "codecPreferences", config
    from lease, taken`;
  return taken;
}

/** What a carrier carries right now. */
export interface CarrierLoad {
  carrierId: string;
  name: string;
  code: string;
  healthStatus: string;
  active: number;
  maxChannels: number;
  /** No call can be put on it: no channel is left, or it was disabled. */
  full: boolean;
}

/** The loads of carriers, by id; one that was deleted is left out. */
export async function findCarrierLoads(
  db: Db,
  carrierIds: readonly string[],
): Promise<Map<string, CarrierLoad>> {
  const loads = await db.$queryRaw<CarrierLoad[]>`
    select k.id as "carrierId", k.name, k.code, coalesce(h.status, 'unknown') as "healthStatus", c.active, k.max_channels as "maxChannels",
      c.active >= k.max_channels or k.status <> 'active' or k.carrier_type = 'inbound' as full
    from carriers k join carrier_channels c on c.carrier_id = k.id
      left join carrier_health h on h.carrier_id = k.id
    where k.id = any(${carrierIds}::uuid[])`;
  return new Map(loads.map((load) => [load.carrierId, load]));
}

/** Extends the leases that are still alive; answers which these are and until when. */
export async function renewLeases(
  db: Db,
  leaseIds: readonly string[],
  leaseSeconds: number,
): Promise<{ renewed: string[]; expiresAt: Date }> {
  const [answer] = await db.$queryRaw<{ renewed: string[]; expiresAt: Date }[]>`
    with alive as (
      select id from channel_leases where id = any(${leaseIds}::uuid[]) and expires_at > now() order by id for update
    ), renewed as (
      update channel_leases l set expires_at = now() + ${leaseSeconds}::float8 * interval '1 second'
      from alive where l.id = alive.id
      returning l.id
    )
    select array(select id::text from renewed) as renewed,
      now() + ${leaseSeconds}::float8 * interval '1 second' as "expiresAt"`;
  return answer!;
}

/** Gives channels back; answers how many leases there were. */
export async function releaseLeases(db: Db, leaseIds: readonly string[]): Promise<number> {
  return freeChannels(
    db,
    Prisma.sql`select id from channel_leases where id = any(${leaseIds}::uuid[]) order by id for update`,
  );
}

/** Frees one batch of channels whose owners did not renew them; leases that somebody else holds are left to them. */
export async function expireLeases(db: Db, limit: number): Promise<number> {
  return freeChannels(
    db,
    Prisma.sql`
      select id from channel_leases where expires_at <= now()
      order by expires_at limit ${limit} for update skip locked`,
  );
}

/** Deletes the chosen leases and counts them down; the counter of a deleted carrier is gone, and that is no error. */
async function freeChannels(db: Db, chosen: Prisma.Sql): Promise<number> {
  const [answer] = await db.$queryRaw<{ freed: number }[]>`
    with chosen as (${chosen}
    ), gone as (
      delete from channel_leases l using chosen where l.id = chosen.id returning l.carrier_id
    ), counts as (
      select carrier_id, count(*)::int as leases from gone group by carrier_id
    ), counters as (
      select c.carrier_id, counts.leases from carrier_channels c join counts using (carrier_id)
      order by c.carrier_id for update of c
    ), freed as (
      update carrier_channels c set active = c.active - counters.leases
      from counters where c.carrier_id = counters.carrier_id
    )
    select coalesce(sum(leases), 0)::int as freed from counts`;
  return answer!.freed;
}
