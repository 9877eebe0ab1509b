import { subscriptionPart, type LoggedDelivery } from './fan-out.js';
import { Prisma, type Db } from './database.js';

/**
 * Begins a new generation of a delivery that has ended. The row then waits to be handed to the dispatcher.
 * @returns false when it has not ended: it is under way already
 */
export async function requeueDelivery(
  db: Db,
  tenantId: string,
  subscriptionId: string,
  id: string,
): Promise<boolean> {
  const count = await requeue(
    db,
    Prisma.sql`
    id = ${id}::uuid and tenant_id = ${tenantId} and subscription_id = ${subscriptionId}::uuid and status <> 'pending'`,
  );
  return count > 0;
}

/** The same for all failed deliveries of events accepted from `since` up to, not including, `until`; answers how many. */
export async function requeueFailed(
  db: Db,
  tenantId: string,
  subscriptionId: string,
  { since, until }: { since: Date; until: Date },
): Promise<number> {
  return requeue(
    db,
    Prisma.sql`
    tenant_id = ${tenantId} and subscription_id = ${subscriptionId}::uuid and status = 'failed'
    and created_at >= ${since} and created_at < ${until}`,
  );
}

/** Locks in one order, so that two recoveries of one outage never wait for each other. */
async function requeue(db: Db, chosen: Prisma.Sql): Promise<number> {
  return db.$executeRaw`
    with chosen as (select id from deliveries where ${chosen} order by id for no key update)
    update deliveries d
    set status = 'pending', generation = d.generation + 1, last_attempt = 0, requeued = true
    from chosen where d.id = chosen.id`;
}

/** A delivery of a new generation, with its event. */
export interface RequeuedDelivery extends LoggedDelivery {
  tenantId: string;
  eventType: string;
  payload: string;
  occurredAt: Date;
  requestId: string | null;
}

/** Takes requeued deliveries, the oldest first, for the transaction that hands them over. */
export async function claimRequeued(db: Db, limit: number): Promise<string[]> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    update deliveries d set requeued = false
    from (select id from deliveries where requeued order by id limit ${limit} for no key update skip locked) c
    where d.id = c.id returning d.id`;
  return rows.map(({ id }) => id);
}

/** Those whose subscription still exists. */
export async function listRequeued(db: Db, ids: readonly string[]): Promise<RequeuedDelivery[]> {
  return db.$queryRaw<RequeuedDelivery[]>`
    select d.id, d.event_id as "eventId", d.generation, d.tenant_id as "tenantId", d.event_type as "eventType",
      e.payload, e.occurred_at as "occurredAt", e.request_id as "requestId", ${subscriptionPart}
    from deliveries d join events e on e.id = d.event_id
      join webhook_subscriptions s on s.id = d.subscription_id and s.tenant_id = d.tenant_id
    where d.id = any(${ids}::uuid[]) order by d.id`;
}

export async function failDeliveries(db: Db, ids: readonly string[], error: string): Promise<void> {
  await db.$executeRaw`
    update deliveries set status = 'failed', last_error = ${error} where id = any(${ids}::uuid[])`;
}
