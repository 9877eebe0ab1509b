import type { notificationsContract } from '@trunkline/contracts';
import type { Deps } from '../deps.js';
import { acceptPlatformEmail } from '../use-cases/accept-email.js';

/** `notifications.send-email`: an e-mail of the platform itself. */
export function sendEmail(
  deps: Deps,
  { tenant_id, template_data = {}, ...request }: notificationsContract.SendEmailRequest,
): Promise<{ id: string; status: string }> {
  return acceptPlatformEmail(deps, deps.db, tenant_id, { ...request, template_data });
}
