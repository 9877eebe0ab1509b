import type pg from 'pg';

/** A partition that a member may work on until its lease ends. */
export interface ClaimedPartition {
  topic: string;
  partition: number;
  /** The first message that the group has not handled. */
  offset: string;
}

/** One member of a group on one topic. */
export interface Member {
  /** UUID. */
  id: string;
  group: string;
  topic: string;
  leaseMs: number;
}

/** A new group begins with the oldest message kept. */
export async function joinGroup(pool: pg.Pool, topic: string, group: string): Promise<void> {
  await pool.query(
    `insert into consumer_offsets ("group", topic, partition)
     select $2, topic, partition from partitions where topic = $1
     on conflict ("group", topic, partition) do update set worked_at = now()`,
    [topic, group],
  );
}

/** Takes the lease of the partition with work that waits longest, if no living member has it. */
export async function claimPartition(pool: pg.Pool, member: Member): Promise<ClaimedPartition | undefined> {
  const { rows } = await pool.query<{ partition: number; offset: string }>({
    name: 'claim-partition',
    text: `
      with next as (
        select o.partition from consumer_offsets o
        join partitions p on p.topic = o.topic and p.partition = o.partition
        where o."group" = $1 and o.topic = $2 and o.next_offset < p.next_offset
          and (o.leased_until is null or o.leased_until < now())
        order by o.worked_at limit 1 for update of o skip locked
      )
      update consumer_offsets o
      set member = $3, leased_until = now() + $4 * interval '1 millisecond', worked_at = clock_timestamp()
      from next where o."group" = $1 and o.topic = $2 and o.partition = next.partition
      returning o.partition, o.next_offset::text as "offset"`,
    values: [member.group, member.topic, member.id, member.leaseMs],
  });
  const [row] = rows;
  return row && { topic: member.topic, ...row };
}

/** @returns false when the lease ran out and another member has the partition */
export async function renewLease(pool: pg.Pool, member: Member, partition: number): Promise<boolean> {
  const { rowCount } = await pool.query(
    `update consumer_offsets set leased_until = now() + $5 * interval '1 millisecond'
     where "group" = $1 and topic = $2 and partition = $3 and member = $4`,
    [member.group, member.topic, partition, member.id, member.leaseMs],
  );
  return rowCount === 1;
}

/**
 * Gives the lease back and, with `handled`, moves the position behind that offset.
 * @returns false when another member has the partition: it gets, or got, the same messages
 */
export async function releasePartition(
  pool: pg.Pool,
  member: Member,
  partition: number,
  handled?: string,
): Promise<boolean> {
  const { rowCount } = await pool.query({
    name: 'release-partition',
    text: `
      update consumer_offsets
      set member = null, leased_until = null, next_offset = coalesce($5::bigint + 1, next_offset)
      where "group" = $1 and topic = $2 and partition = $3 and member = $4`,
    values: [member.group, member.topic, partition, member.id, handled ?? null],
  });
  return rowCount === 1;
}

/** Leases left by a predecessor that was killed, where it is known that nobody else is at work. */
export async function voidLeases(pool: pg.Pool): Promise<void> {
  await pool.query('update consumer_offsets set member = null, leased_until = null where member is not null');
}

/** Counted from positions, so a long backlog costs nothing. */
export async function countLag(pool: pg.Pool, topic: string, group: string): Promise<number> {
  const { rows } = await pool.query<{ lag: string }>(
    `select coalesce(sum(p.next_offset - greatest(coalesce(o.next_offset, 0), coalesce(kept.first, p.next_offset))), 0)
       as lag
     from partitions p
     left join consumer_offsets o on o.topic = p.topic and o.partition = p.partition and o."group" = $2
     cross join lateral (
       select min("offset") as first from event_log l where l.topic = p.topic and l.partition = p.partition) kept
     where p.topic = $1`,
    [topic, group],
  );
  return Number(rows[0]?.lag ?? 0);
}
