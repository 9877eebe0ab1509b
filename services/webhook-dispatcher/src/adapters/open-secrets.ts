import type { webhooksContract } from '@trunkline/contracts';
import type { SecretBox } from '@trunkline/secrets';
import { signingKeys, type SigningKeys } from './signatures.js';

export type SealedSecrets = webhooksContract.WebhookDelivery['sealed_secrets'];

/** Opened secrets are kept in memory, at most so many: opening one costs as much as both signatures. */
const KEPT = 2_000;

/**
 * The keys that sign at a moment: those of the newest secret, and during a rotation the one before it.
 * Throws for one sealed under a key that this process was not given.
 */
export function createSecretOpener(
  secrets: SecretBox,
): (subscriptionId: string, sealed: SealedSecrets, now: Date) => SigningKeys[] {
  const opened = new Map<string, SigningKeys>();

  const open = (subscriptionId: string, sealed: string): SigningKeys => {
    const key = `${subscriptionId} ${sealed}`;
    const known = opened.get(key);
    if (known !== undefined) return known;
    const keys = signingKeys(secrets.open(sealed, `webhook-secret:${subscriptionId}`));
    if (opened.size >= KEPT) opened.delete(opened.keys().next().value!);
    opened.set(key, keys);
    return keys;
  };

  return (subscriptionId, sealed, now) =>
    sealed
      .filter(
        ({ valid_until }, n) => n === 0 || valid_until === null || Date.parse(valid_until) > now.getTime(),
      )
      .map((each) => open(subscriptionId, each.sealed));
}
