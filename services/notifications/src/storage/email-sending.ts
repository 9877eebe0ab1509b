import type { InboxEntry } from '../adapters/email-provider.js';
import { mayFollow, type EmailStatus } from '../domain/email-status.js';
import type { Db } from './database.js';

/** An e-mail that this replica has to send. */
export interface ClaimedEmail {
  id: string;
  tenantId: string;
  toEmail: string;
  subject: string;
  templateId: string;
  templateDataSealed: string;
  /** Counts the claims: what an older one did in the meantime does not count any more. */
  attempt: number;
  suppressed: boolean;
}

/** Takes e-mails that are due, the longest waiting first; those of a replica that dies are due again after the lease. */
export async function claimEmails(db: Db, limit: number, leaseSeconds: number): Promise<ClaimedEmail[]> {
  return db.$queryRaw<ClaimedEmail[]>`
    update emails e set send_attempts = e.send_attempts + 1,
      next_send_at = now() + ${leaseSeconds}::float8 * interval '1 second'
    from (
      select id from emails where status = 'queued' and next_send_at <= now()
      order by next_send_at limit ${limit} for update skip locked
    ) due
    where e.id = due.id
    returning e.id, e.tenant_id as "tenantId", e.to_email as "toEmail", e.subject, e.template_id as "templateId",
      e.template_data_sealed as "templateDataSealed", e.send_attempts as attempt,
      exists(select from email_suppressions s where s.tenant_id = e.tenant_id and s.address = lower(e.to_email))
        as suppressed`;
}

type Claim = Pick<ClaimedEmail, 'id' | 'attempt'>;

/** False when the claim was lost. */
export async function markSent(
  db: Db,
  { id, attempt }: Claim,
  provider: string,
  messageId: string,
): Promise<boolean> {
  const count = await db.$executeRaw`
    update emails set status = 'sent', sent_at = now(), provider = ${provider}, provider_message_id = ${messageId},
      template_data_sealed = null, next_send_at = null
    where id = ${id}::uuid and status = 'queued' and send_attempts = ${attempt}`;
  return count > 0;
}

export async function markFailed(db: Db, { id, attempt }: Claim, reason: string): Promise<void> {
  await db.$executeRaw`
    update emails set status = 'failed', failed_at = now(), failure_reason = ${reason},
      template_data_sealed = null, next_send_at = null
    where id = ${id}::uuid and status = 'queued' and send_attempts = ${attempt}`;
}

export async function postpone(db: Db, { id, attempt }: Claim, delayMs: number): Promise<void> {
  await db.$executeRaw`
    update emails set next_send_at = now() + ${delayMs}::float8 * interval '1 millisecond'
    where id = ${id}::uuid and status = 'queued' and send_attempts = ${attempt}`;
}

/** False when the provider has told it before. */
export async function insertEmailEvent(
  db: Db,
  event: { provider: string; id: string; emailId: string; kind: string },
): Promise<boolean> {
  const count = await db.$executeRaw`
    insert into email_events (provider, id, email_id, kind)
    values (${event.provider}, ${event.id}, ${event.emailId}::uuid, ${event.kind}) on conflict do nothing`;
  return count > 0;
}

/** Keeps others from changing the e-mail until the transaction ends. */
export async function lockEmail(
  db: Db,
  id: string,
): Promise<{ tenantId: string; toEmail: string; status: EmailStatus } | undefined> {
  const [row] = await db.$queryRaw<{ tenantId: string; toEmail: string; status: EmailStatus }[]>`
    select tenant_id as "tenantId", to_email as "toEmail", status from emails where id = ${id}::uuid for update`;
  return row;
}

/** Moves an e-mail that the transaction holds, if it may move so. */
export async function moveEmail(
  db: Db,
  { id, status }: { id: string; status: EmailStatus },
  next: 'delivered' | 'bounced' | 'failed',
  { at, reason = null, bounceType = null }: { at: Date; reason?: string | null; bounceType?: string | null },
): Promise<boolean> {
  if (!mayFollow(status, next)) return false;
  const changes = {
    delivered: { deliveredAt: at, status: next },
    bounced: { bouncedAt: at, bounceReason: reason, bounceType, status: next },
    failed: { failedAt: at, failureReason: reason, status: next },
  };
  await db.email.update({ where: { id }, data: changes[next] });
  return true;
}

export async function suppressAddress(
  db: Db,
  { tenantId, address, reason }: { tenantId: string; address: string; reason: string },
): Promise<void> {
  await db.$executeRaw`
    insert into email_suppressions (tenant_id, address, reason) values (${tenantId}, lower(${address}), ${reason})
    on conflict do nothing`;
}

export async function insertInboxMessage(db: Db, entry: InboxEntry): Promise<void> {
  await db.$executeRaw`
    insert into inbox_messages (id, kind, "to", "from", subject, text)
    values (time_ordered_id(), ${entry.kind}, ${entry.to}, ${entry.from}, ${entry.subject}, ${entry.text})`;
}
