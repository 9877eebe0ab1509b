import type { Deps } from '../deps.js';
import {
  lockSubscription,
  saveSubscription,
  type SubscriptionChanges,
  type WebhookSubscription,
} from '../storage/subscriptions.js';
import { checkReceiver } from './check-receiver.js';
import { secretContext, type SubscriptionFields, type WithSecret } from './subscription-fields.js';

/** Applies the fields present. Errors: NOT_FOUND, VALIDATION_FAILED. */
export async function changeSubscription(
  deps: Deps,
  tenantId: string,
  id: string,
  fields: Partial<SubscriptionFields>,
): Promise<WithSecret<WebhookSubscription>> {
  checkReceiver(deps, fields.url);
  const subscription = await deps.db.$transaction(async (transaction) => {
    const before = await lockSubscription(transaction, tenantId, id);
    const changes = {
      ...columnsOf(fields),
      ...rotation(deps, before, fields.secret),
      ...freshStart(before, fields),
    };
    return saveSubscription(transaction, tenantId, before.id, changes);
  });
  return { subscription, secret: fields.secret };
}

function columnsOf({ url, events, active, max_retries, timeout_ms }: Partial<SubscriptionFields>) {
  return {
    ...(url !== undefined && { url }),
    ...(events !== undefined && { events }),
    ...(active !== undefined && { active }),
    ...(max_retries !== undefined && { maxRetries: max_retries }),
    ...(timeout_ms !== undefined && { timeoutMs: timeout_ms }),
  } satisfies SubscriptionChanges;
}

/** The old secret goes on signing for a while (decisions 8). The same secret again, as a repeated PUT sends it, ends no overlap. */
function rotation(
  { secrets, now, config }: Deps,
  before: WebhookSubscription,
  secret: string | undefined,
): SubscriptionChanges {
  const context = secretContext(before.id);
  if (secret === undefined || secrets.open(before.secretSealed, context) === secret) return {};
  return {
    secretSealed: secrets.seal(secret, context),
    previousSecretSealed: before.secretSealed,
    previousValidUntil: new Date(now().getTime() + config.secretOverlapHours * 3_600_000),
  };
}

/** A receiver that moves, or is switched on again, gets its days of grace anew. */
function freshStart(
  before: WebhookSubscription,
  { url, active }: Partial<SubscriptionFields>,
): SubscriptionChanges {
  const moved = url !== undefined && url !== before.url;
  const switchedOn = active === true && !before.active;
  return moved || switchedOn ? { failingSince: null } : {};
}
