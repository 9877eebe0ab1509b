import type { OutboundHttp } from '@trunkline/outbound-http';
import type { Config } from '../config.js';
import type { EmailProvider } from './email-provider.js';
import { createPostmarkEmail } from './postmark-email.js';
import { createSandboxEmail } from './sandbox-email.js';
import { createSmtpEmail } from './smtp-email.js';

/** The provider that the configuration names. Throws when a setting that it needs is missing; nothing falls back to the sandbox. */
export function createEmailProvider(
  config: Readonly<Config>,
  { embedded, outboundHttp }: { embedded: boolean; outboundHttp: OutboundHttp },
): EmailProvider {
  const { emailFrom: from, smtpUrl, postmarkServerToken } = config;
  const provider = config.emailProvider || (embedded ? 'sandbox' : '');
  if (provider === 'sandbox') return createSandboxEmail({ from: from || 'no-reply@trunkline.example' });
  if (!provider) throw new Error('EMAIL_PROVIDER must be smtp, postmark or sandbox.');
  if (!from) throw new Error(`EMAIL_FROM is needed to send e-mails by ${provider}.`);
  if (provider === 'smtp') {
    if (!smtpUrl) throw new Error('SMTP_URL is needed to send e-mails by smtp.');
    return createSmtpEmail({ url: smtpUrl, from });
  }
  if (!postmarkServerToken) throw new Error('POSTMARK_SERVER_TOKEN is needed to send e-mails by postmark.');
  return createPostmarkEmail({
    baseUrl: config.postmarkBaseUrl,
    serverToken: postmarkServerToken,
    messageStream: config.postmarkMessageStream,
    from,
    outboundHttp,
  });
}
