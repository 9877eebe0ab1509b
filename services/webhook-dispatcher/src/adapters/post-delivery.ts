import type { OutboundHttp } from '@trunkline/outbound-http';
import type { SecretBox } from '@trunkline/secrets';
import type { AttemptOutcome } from '../domain/after-attempt.js';
import { createSecretOpener, type SealedSecrets } from './open-secrets.js';
import { responseExcerpt } from './response-excerpt.js';
import { brandSignature, standardSignature } from './signatures.js';

/** What of a delivery one attempt needs. */
export interface PostedDelivery {
  deliveryId: string;
  subscriptionId: string;
  url: string;
  sealedSecrets: SealedSecrets;
  eventType: string;
  body: string;
  timeoutMs: number;
}

/** One attempt that was made. Milliseconds. */
export interface PostedAttempt {
  outcome: AttemptOutcome;
  /** First bytes of the answer, at most 1 KiB. */
  excerpt: string | null;
  attemptedAt: Date;
  durationMs: number;
}

/** Makes one attempt, signed for this moment; never throws. */
export type PostDelivery = (delivery: PostedDelivery, now: Date) => Promise<PostedAttempt>;

/** Of a longer answer nobody sees the rest, and the connection is closed rather than drained. */
const MAX_ANSWER_BYTES = 16_384;

export function createPostDelivery(options: {
  outboundHttp: OutboundHttp;
  secrets: SecretBox;
  headerBrand: string;
  /** Of what is not the receiver's doing: a secret that cannot be opened, a header that cannot be sent. */
  onFault: (error: unknown, delivery: PostedDelivery) => void;
}): PostDelivery {
  const { outboundHttp, secrets, headerBrand, onFault } = options;
  const openSecrets = createSecretOpener(secrets);

  const headersOf = (delivery: PostedDelivery, body: Buffer, attemptedAt: Date) => {
    const { deliveryId: id, subscriptionId, sealedSecrets, eventType } = delivery;
    const seconds = Math.floor(attemptedAt.getTime() / 1_000);
    const signing = openSecrets(subscriptionId, sealedSecrets, attemptedAt);
    return {
      'Content-Type': 'application/json',
      [`X-${headerBrand}-Event`]: eventType,
      [`X-${headerBrand}-Delivery`]: id,
      [`X-${headerBrand}-Timestamp`]: String(seconds),
      [`X-${headerBrand}-Signature`]: brandSignature(body, seconds, signing),
      'webhook-id': id,
      'webhook-timestamp': String(seconds),
      'webhook-signature': standardSignature(body, { id, seconds }, signing),
    };
  };

  return async (delivery, attemptedAt) => {
    try {
      // The bytes that are signed are the bytes that are sent.
      const body = Buffer.from(delivery.body);
      const answer = await outboundHttp.request({
        url: delivery.url,
        method: 'POST',
        headers: headersOf(delivery, body, attemptedAt),
        body,
        deadlineMs: delivery.timeoutMs,
        maxBodyBytes: MAX_ANSWER_BYTES,
      });
      const { durationMs } = answer;
      if (!answer.ok) {
        const outcome = { kind: 'unanswered' as const, reason: answer.reason };
        return { outcome, excerpt: null, attemptedAt, durationMs };
      }
      const outcome = { kind: 'answered' as const, status: answer.status };
      return { outcome, excerpt: responseExcerpt(answer.body), attemptedAt, durationMs };
    } catch (error) {
      onFault(error, delivery);
      const outcome = { kind: 'unanswered' as const, reason: 'internal' };
      return { outcome, excerpt: null, attemptedAt, durationMs: 0 };
    }
  };
}
