import type { Db } from './database.js';

/**
 * Marks deliveries as taken over, in the transaction that queues them, and answers the ids of those that are new or of
 * a newer generation. Of two transactions with the same delivery the second waits for the first.
 */
export async function acceptDeliveries(
  db: Db,
  deliveries: readonly { deliveryId: string; generation: number }[],
): Promise<Set<string>> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    insert into accepted_deliveries as known (delivery_id, generation)
    select id, generation from unnest(
      ${deliveries.map(({ deliveryId }) => deliveryId)}::uuid[],
      ${deliveries.map(({ generation }) => generation)}::int[]
    ) as d(id, generation) order by id
    on conflict (delivery_id) do update set generation = excluded.generation, accepted_at = now()
      where known.generation < excluded.generation
    returning delivery_id::text as id`;
  return new Set(rows.map(({ id }) => id));
}

/** Forgets one batch of deliveries that are final and whose messages cannot come again. */
export async function forgetAccepted(db: Db, hours: number, limit: number): Promise<number> {
  return db.$executeRaw`
    delete from accepted_deliveries where delivery_id in (
      select delivery_id from accepted_deliveries a
      where accepted_at < now() - ${hours}::float8 * interval '1 hour'
        and not exists (select from deliveries d where d.delivery_id = a.delivery_id)
      order by accepted_at limit ${limit} for update skip locked)`;
}
