/** An e-mail on its way to the provider. */
export interface OutgoingEmail {
  id: string;
  to: string;
  subject: string;
  templateId: string;
  template: EmailTemplateText;
  data: Readonly<Record<string, string>>;
}

/** Handlebars templates. */
export interface EmailTemplateText {
  subject: string;
  html: string;
  text: string;
}

/** What a provider tells of an e-mail that it has taken. */
export interface ProviderEvent {
  /** Of the provider: the same event told twice counts once. */
  id: string;
  kind: 'delivered' | 'bounced' | 'failed';
  bounceType?: 'hard' | 'soft';
  reason?: string;
}

/** `refused` is final; `unavailable` is tried again. */
export type SendOutcome =
  | { kind: 'sent'; messageId: string; events?: readonly ProviderEvent[]; inbox?: InboxEntry }
  | { kind: 'refused'; reason: string }
  | { kind: 'unavailable'; reason: string };

/** What would have left the platform (decisions 15). */
export interface InboxEntry {
  kind: 'email';
  to: string;
  from: string;
  subject: string;
  text: string;
}

/** Who sends e-mails. `send` ends within half a minute and does not throw for what the provider does. */
export interface EmailProvider {
  readonly name: string;
  send(email: OutgoingEmail): Promise<SendOutcome>;
  close?(): void;
}
