import { Prisma, type Db } from './database.js';

/**
 * A lane is a subscription's part of the queue. Every transaction that leases, settles or adds deliveries locks their
 * lanes first, in one order, so that it sees what the one before it did and never waits in a circle.
 */

/** A subscription in whose lane a claim may find something. */
export interface DueLane {
  subscriptionId: string;
  /** Its last attempts took long. */
  slow: boolean;
}

/**
 * The lanes that are due, the longest waiting first; locked until the transaction ends. Those that others work on are
 * left to them.
 */
export async function lockDueLanes(
  db: Db,
  { limit, slowToo }: { limit: number; slowToo: boolean },
): Promise<DueLane[]> {
  return db.$queryRaw<DueLane[]>`
    select subscription_id as "subscriptionId", slow from lanes
    where due_at <= now() ${slowToo ? Prisma.empty : Prisma.sql`and not slow`}
    order by due_at limit ${limit} for no key update skip locked`;
}

/** Waits for whoever works on these lanes and keeps others away until the transaction ends. */
export async function lockLanes(db: Db, subscriptionIds: readonly string[]): Promise<void> {
  await db.$queryRaw`
    select from lanes where subscription_id = any(${subscriptionIds}::uuid[])
    order by subscription_id for no key update`;
}

/** Lanes for deliveries that are due now, locked until the transaction ends. A full lane stays as it is. */
export async function openLanes(db: Db, subscriptionIds: readonly string[]): Promise<void> {
  await db.$executeRaw`
    insert into lanes as lane (subscription_id, due_at)
    select id, now() from unnest(${[...new Set(subscriptionIds)]}::uuid[]) as s(id) order by id
    on conflict (subscription_id) do update set due_at = excluded.due_at
      where not lane.full and lane.due_at > excluded.due_at`;
}
