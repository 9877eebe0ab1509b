import { accountsContract } from '@trunkline/contracts';
import { TrunklineError } from '@trunkline/errors';
import type { Deps } from '../deps.js';
import { claimNotices, settleNotice, type DueNotice } from '../storage/subscription-failures.js';
import { acceptPlatformEmail } from './accept-email.js';

const LEASE_SECONDS = 60;

/** Tells accounts, by e-mail to their primary address, of webhooks that were switched off; answers how many were due. */
export async function notifySwitchedOff(deps: Deps, limit: number): Promise<number> {
  const due = await claimNotices(deps.db, limit, LEASE_SECONDS);
  const results = await Promise.allSettled(due.map((notice) => notify(deps, notice)));
  for (const result of results) {
    if (result.status === 'rejected') {
      deps.logger.warn(
        { error: result.reason as unknown },
        'a webhook was switched off; its account is told later',
      );
    }
  }
  return due.length;
}

async function notify(
  deps: Deps,
  { id, tenantId, url, failingSince, switchedOffAt }: DueNotice,
): Promise<void> {
  const { db, rpc } = deps;
  const contact = await rpc.call(accountsContract.findContact, { tenant_id: tenantId }).catch(nobody);
  await db.$transaction(async (transaction) => {
    // Whoever settles it sends it: a repeat after a lost lease finds nothing to settle.
    if (!(await settleNotice(transaction, id)) || !contact) return;
    await acceptPlatformEmail(deps, transaction, tenantId, {
      to_email: contact.email,
      template_id: 'webhook-disabled',
      template_data: {
        name: contact.name,
        url,
        subscription_id: id,
        failing_since: failingSince?.toISOString() ?? '',
      },
      idempotency_key: `webhook-disabled:${id}:${switchedOffAt.toISOString()}`,
    });
  });
}

/** The account is gone: there is nobody to tell. */
function nobody(error: unknown): undefined {
  if (error instanceof TrunklineError && error.code === 'NOT_FOUND') return undefined;
  throw error;
}
