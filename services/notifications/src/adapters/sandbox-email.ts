import type { EmailProvider, ProviderEvent } from './email-provider.js';
import { renderTemplate } from './render-template.js';

/** Nothing leaves: `bounce@…` bounces hard after sending, `fail@…` fails, all else is delivered, into the inbox (decisions 15). */
export function createSandboxEmail({ from }: { from: string }): EmailProvider {
  return {
    name: 'sandbox',
    send({ id, to, subject, template, data }) {
      const [localPart] = to.toLowerCase().split('@');
      if (localPart === 'fail') return Promise.resolve({ kind: 'refused', reason: 'sandbox_failure' });
      const event: ProviderEvent =
        localPart === 'bounce'
          ? { id: `${id}:bounced`, kind: 'bounced', bounceType: 'hard', reason: 'sandbox_bounce' }
          : { id: `${id}:delivered`, kind: 'delivered' };
      const { html, text } = renderTemplate(template, data);
      return Promise.resolve({
        kind: 'sent',
        messageId: id,
        events: [event],
        ...(event.kind === 'delivered' && {
          inbox: { kind: 'email', to, from, subject, text: text || html },
        }),
      });
    },
  };
}
