import type { Worker } from '@trunkline/service';
import type { Deps } from '../deps.js';
import { sendEmails } from '../use-cases/send-emails.js';

/** Sent at the same time. */
const BATCH = 20;

/** Any number of replicas may send at once: each e-mail is claimed by one. */
export function sendEmailsWorker(deps: Deps): Worker {
  return {
    name: 'send-emails',
    everyMs: 200,
    async pass() {
      const handled = await sendEmails(deps, BATCH);
      return { handled, more: handled === BATCH };
    },
  };
}
