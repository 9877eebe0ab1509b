import type { OutboxMessage } from './new-event.js';

/** A Prisma client or a transaction of it, as far as this package needs it. */
export interface SqlClient {
  $executeRaw(query: TemplateStringsArray, ...values: unknown[]): PromiseLike<number>;
  $queryRaw<T = unknown>(query: TemplateStringsArray, ...values: unknown[]): PromiseLike<T>;
}

/** A message in the outbox; `seq`, in text, tells the order. */
export interface OutboxRow extends Omit<OutboxMessage, 'id' | 'headers'> {
  seq: string;
  headers: string;
}

/**
 * Writes events in the transaction that changes the state they tell of: both are kept, or neither. After the commit
 * call `wake()` of the service's relay. Needs the table `outbox` in the service's own schema (README).
 */
export async function appendToOutbox(db: SqlClient, messages: readonly OutboxMessage[]): Promise<void> {
  if (messages.length === 0) return;
  await db.$executeRaw`
    insert into outbox (id, topic, key, payload, headers)
    select id, topic, key, payload, headers from unnest(
      ${messages.map(({ id }) => id)}::uuid[], ${messages.map(({ topic }) => topic)}::text[],
      ${messages.map(({ key }) => key)}::text[], ${messages.map(({ payload }) => payload)}::text[],
      ${messages.map(({ headers }) => JSON.stringify(headers))}::text[]
    ) with ordinality as m(id, topic, key, payload, headers, position)
    order by position`;
}

export async function hasOutboxRows(db: SqlClient): Promise<boolean> {
  const [row] = await db.$queryRaw<{ found: boolean }[]>`select exists(select from outbox) as found`;
  return row?.found ?? false;
}

/** One relay at a time works on a schema's outbox, until its transaction ends: that keeps the order of every key. */
export async function lockOutbox(transaction: SqlClient): Promise<boolean> {
  const [row] = await transaction.$queryRaw<{ locked: boolean }[]>`
    select pg_try_advisory_xact_lock(hashtextextended(current_schema() || '.outbox', 0)) as locked`;
  return row?.locked ?? false;
}

/** The oldest rows: at most `limit` and, behind the first, about `maxBytes`. */
export async function listOutbox(
  transaction: SqlClient,
  limit: number,
  maxBytes: number,
): Promise<OutboxRow[]> {
  return transaction.$queryRaw<OutboxRow[]>`
    select seq::text as seq, topic, key, payload, headers from (
      select *, sum(pg_column_size(payload)) over (order by seq) - pg_column_size(payload) as bytes_before
      from (select * from outbox order by seq limit ${limit}) oldest
    ) measured where bytes_before < ${maxBytes} order by measured.seq`;
}

export async function deleteFromOutbox(transaction: SqlClient, seqs: readonly string[]): Promise<void> {
  await transaction.$executeRaw`delete from outbox where seq = any(${seqs}::bigint[])`;
}

/** How much waits and since when; counted up to 100,000 rows. */
export async function measureOutbox(db: SqlClient): Promise<{ rows: number; ageSeconds: number }> {
  const [row] = await db.$queryRaw<{ rows: number; ageSeconds: number }[]>`
    select (select count(*)::int from (select from outbox limit 100000) counted) as rows,
      coalesce((select extract(epoch from now() - created_at)::float8 from outbox order by seq limit 1), 0)
        as "ageSeconds"`;
  return row ?? { rows: 0, ageSeconds: 0 };
}
