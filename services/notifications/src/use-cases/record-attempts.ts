import type { webhooksContract } from '@trunkline/contracts';
import type { Deps } from '../deps.js';
import { afterAttempt, type Attempt } from '../domain/delivery-state.js';
import { afterEnding, type Ending } from '../domain/failing-state.js';
import type { Db } from '../storage/database.js';
import {
  insertAttempts,
  lockDeliveries,
  saveDeliveries,
  type AttemptedDelivery,
  type DeliveryAttempt,
} from '../storage/delivery-attempts.js';
import { lockFailing, saveFailing } from '../storage/subscription-failures.js';

/** An attempt as it is kept. */
type MadeAttempt = DeliveryAttempt & Attempt;

/** An ending and whose it is. */
interface SubscriptionEnding extends Ending {
  subscriptionId: string;
}

/** Writes attempts, the states of their deliveries and of failing subscriptions. The same attempts again change nothing. */
export async function recordAttempts(
  { db, config }: Deps,
  reported: readonly webhooksContract.WebhookAttempt[],
): Promise<void> {
  await db.$transaction(async (transaction) => {
    const ids = [...new Set(reported.map(({ delivery_id }) => delivery_id))];
    const before = new Map((await lockDeliveries(transaction, ids)).map((row) => [row.id, row]));
    const known = reported.filter((each) => belongs(each, before.get(each.delivery_id))).map(madeAttempt);
    const made = [...new Map(known.map((each) => [each.id, each])).values()];
    const fresh = await insertAttempts(transaction, made);
    if (fresh.size === 0) return;
    const { after, endings } = applyAttempts(
      before,
      made.filter(({ id }) => fresh.has(id)),
    );
    await saveDeliveries(transaction, after);
    if (endings.length > 0) await recordEndings(transaction, endings, config.disableAfterDays * 86_400_000);
  }, TRANSACTION);
}

const TRANSACTION = { maxWait: 5_000, timeout: 30_000 };

function belongs(
  reported: webhooksContract.WebhookAttempt,
  delivery: AttemptedDelivery | undefined,
): boolean {
  return delivery?.subscriptionId === reported.subscription_id && delivery.tenantId === reported.tenant_id;
}

/** In the order of the attempts, however they arrived. */
function applyAttempts(before: ReadonlyMap<string, AttemptedDelivery>, attempts: readonly MadeAttempt[]) {
  const after = new Map<string, AttemptedDelivery>();
  const endings: SubscriptionEnding[] = [];
  const inOrder = attempts.toSorted((a, b) => a.generation - b.generation || a.attempt - b.attempt);
  for (const made of inOrder) {
    const state = after.get(made.deliveryId) ?? before.get(made.deliveryId)!;
    const next = afterAttempt(state, made);
    after.set(made.deliveryId, next);
    if (next.status !== 'pending' && state.status === 'pending') {
      endings.push({ subscriptionId: state.subscriptionId, outcome: next.status, at: made.attemptedAt });
    }
  }
  return { after: [...after.values()], endings };
}

async function recordEndings(db: Db, endings: readonly SubscriptionEnding[], disableAfterMs: number) {
  const ids = (some: readonly SubscriptionEnding[]) => [...new Set(some.map((each) => each.subscriptionId))];
  const failed = endings.filter(({ outcome }) => outcome === 'failed');
  const failing = await lockFailing(db, ids(endings), ids(failed));
  if (failing.length === 0) return;
  const inOrder = endings.toSorted((a, b) => a.at.getTime() - b.at.getTime());
  await saveFailing(
    db,
    failing.map(({ id, active, failingSince }) => {
      const state = inOrder
        .filter(({ subscriptionId }) => subscriptionId === id)
        .reduce((next, ending) => afterEnding(next, ending, disableAfterMs), {
          failingSince,
          switchedOff: false,
        });
      return { id, failingSince: state.failingSince, switchedOff: active && state.switchedOff };
    }),
  );
}

function madeAttempt(reported: webhooksContract.WebhookAttempt): MadeAttempt {
  return {
    id: reported.attempt_id,
    deliveryId: reported.delivery_id,
    generation: reported.generation,
    attempt: reported.attempt,
    outcome: reported.outcome,
    responseStatus: reported.response_status,
    error: storable(reported.error),
    responseExcerpt: storable(reported.response_excerpt),
    durationMs: Math.round(reported.duration_ms),
    attemptedAt: new Date(reported.attempted_at),
    nextAttemptAt: reported.next_attempt_at === null ? null : new Date(reported.next_attempt_at),
  };
}

/** What a receiver answers may hold what PostgreSQL cannot: U+0000 and halves of surrogate pairs. */
function storable(text: string | null): string | null {
  return text && text.replaceAll('\0', '\ufffd').replace(/\p{Surrogate}/gu, '\ufffd');
}
