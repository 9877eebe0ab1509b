import type { ProviderEvent, SendOutcome } from '../adapters/email-provider.js';
import type { Deps } from '../deps.js';
import { sendRetryDelay } from '../domain/send-retry.js';
import {
  claimEmails,
  insertInboxMessage,
  markFailed,
  markSent,
  postpone,
  type ClaimedEmail,
} from '../storage/email-sending.js';
import { findTemplate } from '../storage/email-templates.js';
import { dataContext } from './accept-email.js';
import { applyEmailEvent } from './apply-email-event.js';

/** Twice what the slowest provider may take: an e-mail is claimed again only when its replica has died. */
const LEASE_SECONDS = 60;

/** Sends one batch of e-mails that are due; answers how many. */
export async function sendEmails(deps: Deps, limit: number): Promise<number> {
  const claimed = await claimEmails(deps.db, limit, LEASE_SECONDS);
  await Promise.all(claimed.map(async (email) => recordOutcome(deps, email, await send(deps, email))));
  return claimed.length;
}

async function send({ db, secrets, emailProvider }: Deps, email: ClaimedEmail): Promise<SendOutcome> {
  if (email.suppressed) return { kind: 'refused', reason: 'suppressed' };
  const template = await findTemplate(db, email.tenantId, email.templateId);
  if (!template) return { kind: 'refused', reason: 'template_not_found' };
  return emailProvider.send({
    id: email.id,
    to: email.toEmail,
    subject: email.subject,
    templateId: email.templateId,
    template,
    data: JSON.parse(secrets.open(email.templateDataSealed, dataContext(email.id))) as Record<string, string>,
  });
}

async function recordOutcome(deps: Deps, email: ClaimedEmail, outcome: SendOutcome): Promise<void> {
  const { db, random, emailProvider } = deps;
  if (outcome.kind === 'sent') {
    const { messageId, events = [], inbox } = outcome;
    await db.$transaction(async (transaction) => {
      if (!(await markSent(transaction, email, emailProvider.name, messageId))) return;
      if (inbox) await insertInboxMessage(transaction, inbox);
      for (const event of events) await applyTo(deps, transaction, email.id, event);
    });
    return;
  }
  const delay = outcome.kind === 'unavailable' ? sendRetryDelay(email.attempt, random()) : undefined;
  if (delay === undefined) await markFailed(db, email, outcome.reason);
  else await postpone(db, email, delay);
}

function applyTo(
  { now, emailProvider }: Deps,
  transaction: Parameters<typeof applyEmailEvent>[0],
  emailId: string,
  event: ProviderEvent,
) {
  return applyEmailEvent(transaction, { ...event, provider: emailProvider.name, emailId, at: now() });
}
