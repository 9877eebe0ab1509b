import { randomUUID } from 'node:crypto';
import { notFound, rateLimited } from '@trunkline/errors';
import { renderTemplate } from '../adapters/render-template.js';
import type { Deps } from '../deps.js';
import type { Db } from '../storage/database.js';
import { findTemplate } from '../storage/email-templates.js';
import { insertOnce, insertWithinRate } from '../storage/emails.js';

export interface EmailRequest {
  to_email: string;
  subject: string;
  template_id: string;
  template_data: Record<string, string>;
}

export interface AcceptedEmail extends Pick<EmailRequest, 'to_email' | 'subject' | 'template_id'> {
  id: string;
  status: 'queued';
}

/** What sealed template data is bound to. */
export function dataContext(emailId: string): string {
  return `email:${emailId}`;
}

/** An e-mail of a tenant. Errors: TEMPLATE_NOT_FOUND, RATE_LIMITED. */
export async function acceptEmail(
  { db, config, secrets }: Deps,
  tenantId: string,
  request: EmailRequest,
): Promise<AcceptedEmail> {
  await getTemplate(db, tenantId, request.template_id);
  const { emailRatePerSecond: perSecond, emailRateBurst: burst } = config;
  const email = newEmail(secrets, tenantId, request);
  if (!(await insertWithinRate(db, email, { perSecond, burst }))) {
    throw rateLimited(1 / perSecond, 'Too many e-mails at once.');
  }
  const { to_email, subject, template_id } = request;
  return { id: email.id, to_email, subject, template_id, status: 'queued' };
}

/** An e-mail of the platform itself; the subject is the template's unless one is given. Errors: TEMPLATE_NOT_FOUND. */
export async function acceptPlatformEmail(
  { secrets }: Pick<Deps, 'secrets'>,
  db: Db,
  tenantId: string,
  request: Omit<EmailRequest, 'subject'> & { subject?: string | undefined; idempotency_key: string },
): Promise<{ id: string; status: string }> {
  const template = await getTemplate(db, tenantId, request.template_id);
  const subject = request.subject ?? renderTemplate(template, request.template_data).subject;
  return insertOnce(db, newEmail(secrets, tenantId, { ...request, subject }), request.idempotency_key);
}

async function getTemplate(db: Db, tenantId: string, templateId: string) {
  const template = await findTemplate(db, tenantId, templateId);
  if (!template) throw notFound('e-mail template', 'TEMPLATE_NOT_FOUND');
  return template;
}

function newEmail(secrets: Deps['secrets'], tenantId: string, request: EmailRequest) {
  const id = randomUUID();
  return {
    id,
    tenantId,
    toEmail: request.to_email,
    subject: request.subject,
    templateId: request.template_id,
    templateDataSealed: secrets.seal(JSON.stringify(request.template_data), dataContext(id)),
  };
}
