import { notFound } from '@trunkline/errors';
import type { EmailStatus } from '../domain/email-status.js';
import type { Email, Prisma } from '../generated/prisma/client.js';
import type { Db } from './database.js';

export type { Email };

export interface NewEmail {
  id: string;
  tenantId: string;
  toEmail: string;
  subject: string;
  templateId: string;
  templateDataSealed: string;
}

/**
 * Takes a token of the tenant's bucket and writes the e-mail, in one statement: of sends at the same moment each waits for the
 * bucket and sees what the others left. The database's clock fills it.
 * @returns false when the bucket is empty
 */
export async function insertWithinRate(
  db: Db,
  email: NewEmail,
  { perSecond, burst }: { perSecond: number; burst: number },
): Promise<boolean> {
  const count = await db.$executeRaw`
    with token as (
      insert into email_rates as r (tenant_id, tokens, refilled_at)
      values (${email.tenantId}, ${burst}::float8 - 1, clock_timestamp())
      on conflict (tenant_id) do update set
        tokens = least(${burst}::float8, r.tokens + ${perSecond}::float8
          * greatest(0, extract(epoch from clock_timestamp() - r.refilled_at)::float8)) - 1,
        refilled_at = clock_timestamp()
      where least(${burst}::float8, r.tokens + ${perSecond}::float8
        * greatest(0, extract(epoch from clock_timestamp() - r.refilled_at)::float8)) >= 1
      returning tenant_id
    )
    insert into emails (id, tenant_id, to_email, subject, template_id, template_data_sealed, next_send_at)
    select ${email.id}::uuid, tenant_id, ${email.toEmail}, ${email.subject}, ${email.templateId},
      ${email.templateDataSealed}, now()
    from token`;
  return count > 0;
}

/** For the platform's own e-mails: no rate, and the same key again writes nothing. Answers the record of the key. */
export async function insertOnce(
  db: Db,
  email: NewEmail,
  idempotencyKey: string,
): Promise<Pick<Email, 'id' | 'status'>> {
  await db.$executeRaw`
    insert into emails (id, tenant_id, to_email, subject, template_id, template_data_sealed, next_send_at,
      idempotency_key)
    values (${email.id}::uuid, ${email.tenantId}, ${email.toEmail}, ${email.subject}, ${email.templateId},
      ${email.templateDataSealed}, now(), ${idempotencyKey})
    on conflict (tenant_id, idempotency_key) do nothing`;
  return db.email.findUniqueOrThrow({
    where: { tenantId_idempotencyKey: { tenantId: email.tenantId, idempotencyKey } },
    select: { id: true, status: true },
  });
}

export async function getEmail(db: Db, tenantId: string, id: string): Promise<Email> {
  const email = await db.email.findFirst({ where: { id, tenantId } });
  if (!email) throw notFound('e-mail');
  return email;
}

/** Newest first. */
export async function listEmails(
  db: Db,
  tenantId: string,
  filter: { status?: EmailStatus; toEmail?: string; templateId?: string },
  window: { skip: number; take: number },
): Promise<{ emails: Email[]; total: number }> {
  const where = { tenantId, ...filter } satisfies Prisma.EmailWhereInput;
  const [emails, total] = await Promise.all([
    db.email.findMany({ where, orderBy: [{ queuedAt: 'desc' }, { id: 'desc' }], ...window }),
    db.email.count({ where }),
  ]);
  return { emails, total };
}
