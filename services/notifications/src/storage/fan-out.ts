import { Prisma, type Db } from './database.js';

/** Something that happened in a tenant. */
export interface AcceptedEvent {
  /** UUID: the same event never fans out twice. */
  id: string;
  tenantId: string;
  type: string;
  /** JSON text. */
  payload: string;
  occurredAt: Date;
  requestId?: string | undefined;
}

/** A log entry that was written, with what a delivery needs besides the event. */
export interface LoggedDelivery {
  id: string;
  eventId: string;
  subscriptionId: string;
  generation: number;
  url: string;
  secretSealed: string;
  /** Only while deliveries are signed with it too. */
  previousSecretSealed: string | null;
  previousValidUntil: Date | null;
  maxRetries: number;
  timeoutMs: number;
}

/** How a delivery looks at its subscription. */
export const subscriptionPart = Prisma.sql`
  s.id as "subscriptionId", s.url, s.secret_sealed as "secretSealed",
  case when s.previous_valid_until > now() then s.previous_secret_sealed end as "previousSecretSealed",
  case when s.previous_valid_until > now() then s.previous_valid_until end as "previousValidUntil",
  s.max_retries as "maxRetries", s.timeout_ms as "timeoutMs"`;

const subscribed = Prisma.sql`s.active and (e.type = any(s.events) or '*' = any(s.events))`;

/**
 * Keeps events, and writes one log entry for each active subscription that matches at this moment: one statement, so one
 * snapshot. An event whose id is known already does nothing. Entries of an event come in the order of the subscriptions.
 * @param onlyTo this subscription gets the event, whatever it listens to
 */
export async function fanOut(
  db: Db,
  events: readonly AcceptedEvent[],
  onlyTo?: string,
): Promise<LoggedDelivery[]> {
  const given = events.map((event) => ({
    id: event.id,
    tenant_id: event.tenantId,
    type: event.type,
    payload: event.payload,
    request_id: event.requestId,
    occurred_at: event.occurredAt,
  }));
  const recipients = onlyTo === undefined ? subscribed : Prisma.sql`s.id = ${onlyTo}::uuid`;
  return db.$queryRaw<LoggedDelivery[]>`
    with accepted as (
      insert into events (id, tenant_id, type, payload, request_id, occurred_at)
      select id, tenant_id, type, payload, request_id, occurred_at
      from jsonb_to_recordset(${JSON.stringify(given)}::jsonb)
        as g(id uuid, tenant_id text, type text, payload text, request_id text, occurred_at timestamptz)
      order by id
      on conflict (id) do nothing
      returning id, tenant_id, type
    ), logged as (
      insert into deliveries (id, event_id, subscription_id, tenant_id, event_type)
      select time_ordered_id(), e.id, s.id, e.tenant_id, e.type
      from accepted e join webhook_subscriptions s on s.tenant_id = e.tenant_id and ${recipients}
      order by s.created_at, s.id
      returning id, event_id, subscription_id
    )
    select l.id, l.event_id as "eventId", 0 as generation, ${subscriptionPart}
    from logged l join webhook_subscriptions s on s.id = l.subscription_id
    order by s.created_at, s.id`;
}
