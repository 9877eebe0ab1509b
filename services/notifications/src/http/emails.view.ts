import { PLATFORM, type EmailTemplate } from '../storage/email-templates.js';
import type { Email } from '../storage/emails.js';
import type { InboxMessage } from '../storage/inbox.js';

/** Exactly the fields of the specification. */
export function emailEntryView(email: Email) {
  return {
    id: email.id,
    to_email: email.toEmail,
    subject: email.subject,
    template_id: email.templateId,
    status: email.status,
    sent_at: email.sentAt?.toISOString() ?? null,
  };
}

/** And what decisions 8 adds to a single record. */
export function emailView(email: Email) {
  return {
    ...emailEntryView(email),
    queued_at: email.queuedAt.toISOString(),
    delivered_at: email.deliveredAt?.toISOString() ?? null,
    bounced_at: email.bouncedAt?.toISOString() ?? null,
    failed_at: email.failedAt?.toISOString() ?? null,
    bounce_reason: email.bounceReason,
    bounce_type: email.bounceType,
    failure_reason: email.failureReason,
  };
}

export function templateView(template: EmailTemplate) {
  return {
    template_id: template.templateId,
    tenant_id: template.owner === PLATFORM ? null : template.owner,
    subject: template.subject,
    html: template.html,
    text: template.text,
    created_at: template.createdAt.toISOString(),
    updated_at: template.updatedAt.toISOString(),
  };
}

export function inboxView({ id, kind, to, from, subject, text, createdAt }: InboxMessage) {
  return { id, kind, to, from, subject, text, created_at: createdAt.toISOString() };
}
