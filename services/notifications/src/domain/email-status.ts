export type EmailStatus = 'queued' | 'sent' | 'delivered' | 'bounced' | 'failed';

/** Which status may follow which (decisions 8). What is not here changes nothing: a late or repeated event comes too late. */
const FOLLOWING: Readonly<Record<EmailStatus, readonly EmailStatus[]>> = {
  queued: ['sent', 'failed'],
  sent: ['delivered', 'bounced', 'failed'],
  delivered: ['bounced'],
  bounced: [],
  failed: [],
};

export function mayFollow(status: EmailStatus, next: EmailStatus): boolean {
  return FOLLOWING[status].includes(next);
}
