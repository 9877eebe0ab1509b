import { randomUUID } from 'node:crypto';
import type { Deps } from '../deps.js';
import { insertSubscription, type WebhookSubscription } from '../storage/subscriptions.js';
import { checkReceiver } from './check-receiver.js';
import { secretContext, type SubscriptionFields, type WithSecret } from './subscription-fields.js';

/** 192 bits, as the Standard Webhooks specification asks for (24 to 64 bytes). */
const SECRET_BYTES = 24;

/** A secret that is not given is made. Errors: VALIDATION_FAILED. */
export async function createSubscription(
  deps: Deps,
  tenantId: string,
  fields: SubscriptionFields,
): Promise<WithSecret<WebhookSubscription>> {
  const { db, secrets, randomBytes } = deps;
  checkReceiver(deps, fields.url);
  const id = randomUUID();
  const secret = fields.secret ?? `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
  const subscription = await insertSubscription(db, {
    id,
    tenantId,
    url: fields.url,
    events: fields.events,
    active: fields.active,
    maxRetries: fields.max_retries,
    timeoutMs: fields.timeout_ms,
    secretSealed: secrets.seal(secret, secretContext(id)),
  });
  return { subscription, secret };
}
