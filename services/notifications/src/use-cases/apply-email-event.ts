import type { ProviderEvent } from '../adapters/email-provider.js';
import type { Db } from '../storage/database.js';
import { insertEmailEvent, lockEmail, moveEmail, suppressAddress } from '../storage/email-sending.js';

export interface EmailEvent extends ProviderEvent {
  provider: string;
  emailId: string;
  at: Date;
}

/**
 * Works in, within a transaction, what a provider tells of an e-mail. An event that was told before, or that comes too late for
 * the status of the e-mail, changes nothing. A hard bounce suppresses the address for the tenant.
 */
export async function applyEmailEvent(transaction: Db, event: EmailEvent): Promise<void> {
  const { id, provider, emailId, kind, at, bounceType, reason } = event;
  const email = await lockEmail(transaction, emailId);
  if (!email || !(await insertEmailEvent(transaction, { provider, id, emailId, kind }))) return;
  const current = { id: emailId, status: email.status };
  const details = { at, ...(reason && { reason }), ...(bounceType && { bounceType }) };
  const moved = await moveEmail(transaction, current, kind, details);
  if (moved && kind === 'bounced' && bounceType === 'hard') {
    const { tenantId, toEmail: address } = email;
    await suppressAddress(transaction, { tenantId, address, reason: reason ?? 'hard_bounce' });
  }
}
