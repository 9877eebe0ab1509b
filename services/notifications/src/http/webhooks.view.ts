import type { WebhookSubscription } from '../storage/subscriptions.js';
import type { WithSecret } from '../use-cases/subscription-fields.js';

/** Exactly the fields of the specification: the secret is not among them. */
export function subscriptionView(subscription: WebhookSubscription) {
  return {
    id: subscription.id,
    url: subscription.url,
    events: subscription.events,
    active: subscription.active,
    max_retries: subscription.maxRetries,
    timeout_ms: subscription.timeoutMs,
    created_at: subscription.createdAt.toISOString(),
    updated_at: subscription.updatedAt.toISOString(),
  };
}

/** For the one answer that shows a secret: that to the request that sets it. */
export function withSecretView({ subscription, secret }: WithSecret<WebhookSubscription>) {
  return { ...subscriptionView(subscription), ...(secret !== undefined && { secret }) };
}
