import type { OutboundHttp } from '@trunkline/outbound-http';
import type { EmailProvider, SendOutcome } from './email-provider.js';

export interface PostmarkOptions {
  baseUrl: string;
  serverToken: string;
  messageStream: string;
  from: string;
  outboundHttp: OutboundHttp;
}

const DEADLINE_MS = 15_000;
const MAX_ANSWER_BYTES = 65_536;

/**
 * Sends by Postmark's API (POST /email/withTemplate): it holds the templates, under our ids as aliases, and fills them. Its templates
 * show the subject of the request as `{{subject}}`.
 */
export function createPostmarkEmail(options: PostmarkOptions): EmailProvider {
  return {
    name: 'postmark',
    async send({ id, to, subject, templateId, data }) {
      const outcome = await options.outboundHttp.request({
        url: `${options.baseUrl.replace(/\/$/, '')}/email/withTemplate`,
        method: 'POST',
        headers: {
          accept: 'application/json',
          'content-type': 'application/json',
          'x-postmark-server-token': options.serverToken,
        },
        body: JSON.stringify({
          From: options.from,
          To: to,
          TemplateAlias: templateId,
          TemplateModel: { subject, ...data },
          MessageStream: options.messageStream,
          Metadata: { email_id: id },
        }),
        deadlineMs: DEADLINE_MS,
        maxBodyBytes: MAX_ANSWER_BYTES,
      });
      if (!outcome.ok) return { kind: 'unavailable', reason: `postmark_${outcome.reason}` };
      return outcomeOf(outcome.status, answerOf(outcome.body));
    },
  };
}

interface Answer {
  ErrorCode?: unknown;
  MessageID?: unknown;
}

/** 422 is about this e-mail; 401, 429 and 5xx are about us or them, and pass. */
function outcomeOf(status: number, { ErrorCode: code, MessageID: messageId }: Answer): SendOutcome {
  if (status === 200 && code === 0 && typeof messageId === 'string') return { kind: 'sent', messageId };
  const reason = `postmark_${typeof code === 'number' && code !== 0 ? code : status}`;
  return { kind: status === 422 ? 'refused' : 'unavailable', reason };
}

function answerOf(body: Buffer): Answer {
  try {
    const json: unknown = JSON.parse(body.toString());
    return typeof json === 'object' && json !== null ? json : {};
  } catch {
    return {};
  }
}
