import type { Db } from './database.js';

/** What is known of the failures of a subscription. */
export interface FailingSubscription {
  id: string;
  active: boolean;
  failingSince: Date | null;
}

/** Of these subscriptions those that are failing or have just failed, kept from other writers; the healthy many are not touched. */
export async function lockFailing(
  db: Db,
  subscriptionIds: readonly string[],
  justFailed: readonly string[],
): Promise<FailingSubscription[]> {
  // In one order everywhere, so that two replicas never wait for each other.
  return db.$queryRaw<FailingSubscription[]>`
    select id, active, failing_since as "failingSince" from webhook_subscriptions
    where id = any(${subscriptionIds}::uuid[])
      and (failing_since is not null or id = any(${justFailed}::uuid[]))
    order by id for no key update`;
}

/** Writes rows that the transaction holds. One that is switched off now has its account told. */
export async function saveFailing(
  db: Db,
  rows: readonly { id: string; failingSince: Date | null; switchedOff: boolean }[],
): Promise<void> {
  const written = rows.map(({ id, failingSince, switchedOff }) => ({
    id,
    since: failingSince,
    off: switchedOff,
  }));
  await db.$executeRaw`
    update webhook_subscriptions s
    set failing_since = w.since, active = s.active and not w.off,
      notice_due_at = case when w.off then now() else s.notice_due_at end,
      updated_at = case when w.off then now() else s.updated_at end
    from jsonb_to_recordset(${JSON.stringify(written)}::jsonb) as w(id uuid, since timestamptz, off boolean)
    where s.id = w.id`;
}

/** A subscription that was switched off and whose account has to be told. */
export interface DueNotice {
  id: string;
  tenantId: string;
  url: string;
  failingSince: Date | null;
  /** Tells this switching off from a later one. */
  switchedOffAt: Date;
}

/** Takes notices that are due; one that is not settled within `leaseSeconds` is due again. */
export async function claimNotices(db: Db, limit: number, leaseSeconds: number): Promise<DueNotice[]> {
  return db.$queryRaw<DueNotice[]>`
    update webhook_subscriptions s set notice_due_at = now() + ${leaseSeconds}::float8 * interval '1 second'
    from (
      select id from webhook_subscriptions where notice_due_at <= now()
      order by notice_due_at limit ${limit} for no key update skip locked
    ) due
    where s.id = due.id
    returning s.id, s.tenant_id as "tenantId", s.url, s.failing_since as "failingSince", s.updated_at as "switchedOffAt"`;
}

/** False when it was settled before. */
export async function settleNotice(db: Db, id: string): Promise<boolean> {
  const count = await db.$executeRaw`
    update webhook_subscriptions set notice_due_at = null where id = ${id}::uuid and notice_due_at is not null`;
  return count > 0;
}
