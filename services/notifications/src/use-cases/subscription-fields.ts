/** A subscription as its owner sets it; defaults are applied. */
export interface SubscriptionFields {
  url: string;
  events: string[];
  secret?: string;
  active: boolean;
  max_retries: number;
  timeout_ms: number;
}

/** A record, and its secret when this is the one time to show it. */
export interface WithSecret<Subscription> {
  subscription: Subscription;
  secret: string | undefined;
}

/** What a sealed signing secret is bound to; the dispatcher opens it under the same. */
export function secretContext(subscriptionId: string): string {
  return `webhook-secret:${subscriptionId}`;
}
