import type { SqlClient } from './outbox.js';

/**
 * Marks events as processed, in the transaction that records their effect, and answers the ids that were not yet:
 * only those may take effect. Of two transactions with the same id the second waits for the first. Needs the table
 * `processed_events` in the service's own schema (README). Where the effect's own rows are unique by the event's id, it
 * is not needed.
 */
export async function claimUnprocessed(
  transaction: SqlClient,
  group: string,
  eventIds: readonly string[],
): Promise<Set<string>> {
  if (eventIds.length === 0) return new Set();
  // In one order everywhere, so that two consumers never wait for each other.
  const rows = await transaction.$queryRaw<{ id: string }[]>`
    insert into processed_events ("group", event_id)
    select ${group}, id from unnest(${eventIds}::uuid[]) as e(id) order by id
    on conflict do nothing returning event_id::text as id`;
  return new Set(rows.map(({ id }) => id));
}

/** Deletes a batch of marks that are older than any event can come again. */
export async function pruneProcessedEvents(db: SqlClient, days: number, limit: number): Promise<number> {
  return db.$executeRaw`
    delete from processed_events where ("group", event_id) in (
      select "group", event_id from processed_events
      where processed_at < now() - ${days}::int * interval '1 day' limit ${limit} for update skip locked)`;
}
