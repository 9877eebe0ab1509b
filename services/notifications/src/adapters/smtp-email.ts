import { createTransport } from 'nodemailer';
import type { EmailProvider, SendOutcome } from './email-provider.js';
import { renderTemplate } from './render-template.js';

/** Sends through a mail server; the templates are filled here. Mail servers tell nothing further: `sent` is the last status. */
export function createSmtpEmail({ url, from }: { url: string; from: string }): EmailProvider {
  const transport = createTransport(
    {
      url,
      pool: true,
      maxConnections: 5,
      connectionTimeout: 10_000,
      greetingTimeout: 10_000,
      socketTimeout: 15_000,
      disableFileAccess: true,
      disableUrlAccess: true,
    },
    { from },
  );
  const domain = from.replace(/^.*@/, '').replace(/[>\s].*$/, '');
  return {
    name: 'smtp',
    async send({ id, to, subject, template, data }) {
      const { html, text } = renderTemplate(template, data);
      // The same for every attempt, so that a mail server can tell a repeat.
      const messageId = `<${id}@${domain}>`;
      try {
        await transport.sendMail({ to: { name: '', address: to }, subject, html, text, messageId });
        return { kind: 'sent', messageId };
      } catch (error) {
        return failureOf(error as { responseCode?: number; code?: string });
      }
    },
    close: () => transport.close(),
  };
}

/** A reply of 5xx to this e-mail is final (RFC 5321 4.2.1), unless it refuses us and not the e-mail. */
function failureOf({
  responseCode,
  code = 'unknown',
}: {
  responseCode?: number;
  code?: string;
}): SendOutcome {
  const reason = responseCode === undefined ? `smtp_${code.toLowerCase()}` : `smtp_${responseCode}`;
  const ours = code === 'EAUTH' || code === 'ECONNECTION' || code === 'ETLS';
  const refused = responseCode !== undefined && responseCode >= 500 && !ours;
  return { kind: refused ? 'refused' : 'unavailable', reason };
}
