import type { webhooksContract } from '@trunkline/contracts';
import type { Db } from './database.js';

export interface NewDelivery {
  deliveryId: string;
  generation: number;
  subscriptionId: string;
  tenantId: string;
  url: string;
  sealedSecrets: webhooksContract.WebhookDelivery['sealed_secrets'];
  eventType: string;
  body: string;
  maxRetries: number;
  timeoutMs: number;
  requestId: string | null;
}

/** A delivery of which this process has to make one attempt. */
export interface LeasedDelivery extends NewDelivery {
  /** Made before, in this generation. */
  attempts: number;
  leaseToken: string;
}

export interface SettledAttempt {
  deliveryId: string;
  generation: number;
  subscriptionId: string;
  leaseToken: string;
  /** Milliseconds until the next attempt; null when the delivery is final. */
  retryInMs: number | null;
  /** Its receiver keeps attempts waiting. */
  slow: boolean;
}

/** Leased at once, in UTF-8; behind the first delivery. */
const CLAIM_BYTES = 16_777_216;

/**
 * Queues deliveries that are due now; the transaction holds their lanes. One of an older generation gives way, but an attempt
 * of it that is under way keeps its place until it ends: there are never more at once than allowed.
 */
export async function insertDeliveries(db: Db, deliveries: readonly NewDelivery[]): Promise<void> {
  const column = <T>(of: (delivery: NewDelivery) => T): T[] => deliveries.map(of);
  await db.$executeRaw`
    insert into deliveries as queued (delivery_id, generation, subscription_id, tenant_id, url, sealed_secrets,
      event_type, body, max_retries, timeout_ms, request_id)
    select * from unnest(
      ${column(({ deliveryId }) => deliveryId)}::uuid[], ${column(({ generation }) => generation)}::int[],
      ${column(({ subscriptionId }) => subscriptionId)}::uuid[], ${column(({ tenantId }) => tenantId)}::text[],
      ${column(({ url }) => url)}::text[], ${column((each) => JSON.stringify(each.sealedSecrets))}::text[],
      ${column(({ eventType }) => eventType)}::text[], ${column(({ body }) => body)}::text[],
      ${column(({ maxRetries }) => maxRetries)}::int[], ${column(({ timeoutMs }) => timeoutMs)}::int[],
      ${column(({ requestId }) => requestId)}::text[])
    on conflict (delivery_id) do update set generation = excluded.generation, url = excluded.url,
      sealed_secrets = excluded.sealed_secrets, event_type = excluded.event_type, body = excluded.body,
      max_retries = excluded.max_retries, timeout_ms = excluded.timeout_ms, request_id = excluded.request_id,
      attempts = 0, due_at = case when queued.lease_token is null then excluded.due_at else queued.due_at end
    where queued.generation < excluded.generation`;
}

/**
 * Leases due deliveries of lanes that the transaction holds, in the lanes' order: at most `perSubscription` of one are
 * under way at once, those whose lease ran out not counted but made again. What a full lane has waiting is not looked
 * at. Each lane learns when to be looked at next; one without deliveries goes.
 */
export async function leaseDeliveries(
  db: Db,
  options: {
    subscriptionIds: readonly string[];
    leaseToken: string;
    leaseMarginMs: number;
    perSubscription: number;
    limit: number;
  },
): Promise<LeasedDelivery[]> {
  const { subscriptionIds, leaseToken, leaseMarginMs, perSubscription, limit } = options;
  // One row of JSON: a fifth of what the driver needs for as many rows.
  const [answer] = await db.$queryRaw<{ leased: string | null }[]>`
    with lane as (
      select id, ord, greatest(0, ${perSubscription}::int - (
          select count(*)::int from deliveries d
          where d.subscription_id = id and d.lease_token is not null and d.due_at > now())) as free
      from unnest(${subscriptionIds}::uuid[]) with ordinality as l(id, ord)
    ), candidate as (
      -- Stops at the limit: lanes behind it are not looked at.
      select lane.id, lane.ord, d.* from lane cross join lateral (
        select delivery_id, due_at, octet_length(body) as bytes from deliveries
        where subscription_id = lane.id and due_at <= now() order by due_at limit lane.free
      ) d
      limit ${limit}::int
    ), in_order as (
      select id, delivery_id, row_number() over queue as place, sum(bytes) over queue - bytes as bytes_before
      from candidate window queue as (order by ord, due_at, delivery_id)
    ), leased as (
      update deliveries d set lease_token = ${leaseToken}::uuid,
        due_at = now() + (d.timeout_ms + ${leaseMarginMs}::int) * interval '1 millisecond'
      from in_order c
      where d.delivery_id = c.delivery_id and c.bytes_before < ${CLAIM_BYTES}::int
      returning d.*, c.place
    ), looked_through as (
      -- All that could be taken was; any other lane stays due.
      select lane.id, coalesce(l.count, 0) >= lane.free as full, l.lease_ends
      from lane
        left join (select id, count(*) from candidate group by id) c on c.id = lane.id
        left join (select subscription_id, count(*), min(due_at) as lease_ends from leased group by 1) l
          on l.subscription_id = lane.id
      where coalesce(c.count, 0) = coalesce(l.count, 0)
        and (coalesce(c.count, 0) = lane.free or (select count(*) from candidate) < ${limit}::int)
    ), next as (
      select id, "full", least(lease_ends, case
        when "full" then (
          select min(due_at) from deliveries where subscription_id = id and lease_token is not null and due_at > now())
        else (select min(due_at) from deliveries where subscription_id = id and due_at > now())
      end) as due_at
      from looked_through
    ), moved as (
      update lanes set due_at = next.due_at, "full" = next."full"
      from next where subscription_id = next.id and next.due_at is not null
    ), emptied as (
      delete from lanes using next where subscription_id = next.id and next.due_at is null
    )
    select json_agg(json_build_object('deliveryId', delivery_id, 'generation', generation, 'subscriptionId', subscription_id,
      'tenantId', tenant_id, 'url', url, 'sealedSecrets', sealed_secrets::json, 'eventType', event_type, 'body', body,
      'maxRetries', max_retries, 'timeoutMs', timeout_ms, 'requestId', request_id, 'attempts', attempts,
      'leaseToken', lease_token) order by place)::text as leased
    from leased`;
  return answer?.leased ? (JSON.parse(answer.leased) as LeasedDelivery[]) : [];
}

/** A result that counts. */
export interface SettledDelivery {
  deliveryId: string;
  leaseToken: string;
  nextAttemptAt: Date | null;
}

/**
 * Ends leases; the transaction holds the lanes. Final deliveries leave the queue, the others wait for their next attempt.
 * Only who still has the lease of a delivery may end it; of these, a result of an older generation merely frees the
 * place. Answers the results that count, and whether a lane that was full has room again.
 */
export async function settleDeliveries(
  db: Db,
  attempts: readonly SettledAttempt[],
): Promise<{ settled: SettledDelivery[]; roomAgain: boolean }> {
  const column = <T>(of: (attempt: SettledAttempt) => T): T[] => attempts.map(of);
  const [answer] = await db.$queryRaw<{ settled: string | null; roomAgain: boolean }[]>`
    with result as (
      select d.delivery_id, d.lease_token, d.subscription_id, r.retry_in_ms, r.slow, r.generation = d.generation as counts
      from unnest(${column(({ deliveryId }) => deliveryId)}::uuid[],
          ${column(({ generation }) => generation)}::int[], ${column(({ leaseToken }) => leaseToken)}::uuid[],
          ${column(({ retryInMs }) => retryInMs)}::float8[], ${column(({ slow }) => slow)}::bool[])
          as r(delivery_id, generation, lease_token, retry_in_ms, slow)
        join deliveries d on d.delivery_id = r.delivery_id and d.lease_token = r.lease_token
    ), gone as (
      delete from deliveries d using result r where d.delivery_id = r.delivery_id and r.counts and r.retry_in_ms is null
    ), waiting as (
      update deliveries d set lease_token = null, attempts = d.attempts + r.counts::int,
        due_at = now() + case when r.counts then r.retry_in_ms else 0 end * interval '1 millisecond'
      from result r where d.delivery_id = r.delivery_id and not (r.counts and r.retry_in_ms is null)
      returning d.delivery_id, d.subscription_id, d.due_at, r.lease_token, r.counts
    ), lane as (
      select subscription_id as id, min(due_at) as due_at, bool_or(slow) as slow from (
        select subscription_id, slow, null::timestamptz as due_at from result
        union all select subscription_id, null, due_at from waiting
      ) touched group by 1
    ), woken as (
      update lanes l set "full" = false, slow = lane.slow,
        due_at = least(l.due_at, case when l."full" then now() else lane.due_at end)
      from lane
      where l.subscription_id = lane.id and (l."full" or l.slow <> lane.slow or lane.due_at < l.due_at)
      returning l.due_at <= now() as due
    )
    select coalesce((select bool_or(due) from woken), false) as "roomAgain", (
      select json_agg(json_build_object('deliveryId', delivery_id, 'leaseToken', lease_token, 'nextAttemptAt', due_at))::text
      from (
        select delivery_id, lease_token, null::timestamptz as due_at from result where counts and retry_in_ms is null
        union all select delivery_id, lease_token, due_at from waiting where counts
      ) counting) as settled`;
  const settled = JSON.parse(answer?.settled ?? '[]') as (Omit<SettledDelivery, 'nextAttemptAt'> & {
    nextAttemptAt: string | null;
  })[];
  return {
    settled: settled.map((each) => ({
      ...each,
      nextAttemptAt: each.nextAttemptAt === null ? null : new Date(each.nextAttemptAt),
    })),
    roomAgain: answer?.roomAgain ?? false,
  };
}

/** How long the queue is, and since when the delivery that waits longest has been due. */
export async function measureQueue(db: Db): Promise<{ waiting: number; oldestDueSeconds: number }> {
  const [row] = await db.$queryRaw<{ waiting: number; oldestDueSeconds: number }[]>`
    select count(*)::int as waiting,
      coalesce(greatest(0, extract(epoch from now() - min(due_at))), 0)::float8 as "oldestDueSeconds"
    from deliveries`;
  return row!;
}
