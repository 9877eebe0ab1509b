import type pg from 'pg';
import type { BusMessage, ReceivedMessage } from './event-bus.js';

/** Told with the topic's name whenever messages were stored. */
export const CHANNEL = 'trunkline_events';

/** Makes a topic with its partitions unless it exists. Answers how many it has, which is for ever. */
export async function ensureTopic(pool: pg.Pool, topic: string, partitions: number): Promise<number> {
  await pool.query('insert into topics (topic, partitions) values ($1, $2) on conflict do nothing', [
    topic,
    partitions,
  ]);
  const { rows } = await pool.query<{ partitions: number }>(
    `with known as (select topic, partitions from topics where topic = $1),
     made as (
       insert into partitions (topic, partition)
       select topic, generate_series(0, partitions - 1) from known on conflict do nothing)
     select partitions from known`,
    [topic],
  );
  return rows[0]!.partitions;
}

/** FNV-1a over the UTF-16 code units. */
export function partitionOf(key: string, partitions: number): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < key.length; i++) hash = Math.imul(hash ^ key.charCodeAt(i), 0x01000193);
  return (hash >>> 0) % partitions;
}

/**
 * One statement stores them all. Partitions are locked in one order, so that publishers never wait for each other in a
 * circle; the lock is held until the commit, so a reader never sees an offset before a smaller one.
 */
export async function appendToLog(
  pool: pg.Pool,
  topic: string,
  partitions: number,
  messages: readonly BusMessage[],
): Promise<void> {
  await pool.query({
    name: 'append-to-log',
    text: `
      with message as (
        select * from unnest($2::int[], $3::text[], $4::text[], $5::int[], $6::text[])
          with ordinality as m(partition, key, payload, bytes, headers, position)
      ), amount as (
        select partition, count(*) as messages from message group by partition
      ), locked as materialized (
        select p.partition from partitions p
        where p.topic = $1 and p.partition in (select partition from amount) order by p.partition for update
      ), moved as (
        update partitions p set next_offset = p.next_offset + a.messages
        from amount a join locked l on l.partition = a.partition
        where p.topic = $1 and p.partition = a.partition
        returning p.partition, p.next_offset - a.messages as first_offset
      ), appended as (
        insert into event_log (topic, partition, "offset", key, payload, bytes, headers)
        select $1, m.partition,
          moved.first_offset - 1 + row_number() over (partition by m.partition order by m.position),
          m.key, m.payload, m.bytes, m.headers
        from message m join moved on moved.partition = m.partition
      )
      select pg_notify('${CHANNEL}', $1)`,
    values: [
      topic,
      messages.map(({ key }) => partitionOf(key, partitions)),
      messages.map(({ key }) => key),
      messages.map(({ payload }) => payload),
      messages.map(({ payload }) => Buffer.byteLength(payload)),
      messages.map(({ headers }) => JSON.stringify(headers ?? {})),
    ],
  });
}

interface LogRow {
  offset: string;
  key: string;
  payload: string;
  headers: string;
}

/** From `offset` on, at most `limit` messages and, behind the first, `maxBytes`. */
export async function readLog(
  pool: pg.Pool,
  { topic, partition, offset }: { topic: string; partition: number; offset: string },
  { limit, maxBytes }: { limit: number; maxBytes: number },
): Promise<ReceivedMessage[]> {
  const { rows } = await pool.query<LogRow>({
    name: 'read-log',
    text: `
      with window_of as (
        select "offset", sum(bytes) over (order by "offset") - bytes as bytes_before from (
          select "offset", bytes from event_log
          where topic = $1 and partition = $2 and "offset" >= $3 order by "offset" limit $4) next
      )
      select l."offset"::text as "offset", l.key, l.payload, l.headers
      from event_log l join window_of w on w."offset" = l."offset"
      where l.topic = $1 and l.partition = $2 and w.bytes_before < $5 order by l."offset"`,
    values: [topic, partition, offset, limit, maxBytes],
  });
  return rows.map(({ headers, ...row }) => ({
    topic,
    partition,
    ...row,
    headers: JSON.parse(headers) as Record<string, string>,
  }));
}

/**
 * Deletes a batch of messages that every group has handled a day ago, or that lie for a week in a topic without groups.
 * A group that left work undone and was not seen for 30 days holds nothing back.
 */
export async function pruneLog(pool: pg.Pool, limit: number): Promise<number> {
  const { rowCount } = await pool.query(
    `with handled as (
       select p.topic, p.partition, count(o."group") as groups,
         coalesce(min(o.next_offset), p.next_offset) as upto
       from partitions p left join consumer_offsets o
         on o.topic = p.topic and o.partition = p.partition
         and (o.next_offset >= p.next_offset or o.worked_at > now() - interval '30 days')
       group by p.topic, p.partition
     )
     delete from event_log where (topic, partition, "offset") in (
       select l.topic, l.partition, l."offset" from handled h join event_log l
         on l.topic = h.topic and l.partition = h.partition and l."offset" < h.upto
       where l.published_at < now() - case when h.groups > 0 then interval '1 day' else interval '7 days' end
       limit $1)`,
    [limit],
  );
  return rowCount ?? 0;
}
