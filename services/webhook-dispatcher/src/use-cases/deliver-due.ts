import type { Deps } from '../deps.js';
import { leaseDeliveries, type LeasedDelivery } from '../storage/deliveries.js';
import { lockDueLanes } from '../storage/lanes.js';

/** Attempts under way of one subscription, over all replicas (decisions 8). */
export const ATTEMPTS_PER_SUBSCRIPTION = 10;

/** Of a process's places so many at least have to be free for a claim. */
const FEWEST_PART = 4;

/** Bodies under way at once, in characters. */
const MAX_BODY_LENGTH = 67_108_864;

/**
 * Leases at most `limit` due deliveries, no more than there is room for, and starts their attempts; the results are
 * written behind it. Answers how many it leased.
 */
export async function deliverDue(deps: Deps, limit: number): Promise<number> {
  const { attempts, claims, config } = deps;
  const room = Math.min(limit, config.attemptsInFlight - attempts.count);
  // Many small claims would cost more than a wait for a few more results.
  const few = room < Math.min(limit, config.attemptsInFlight / FEWEST_PART);
  if (room < limit) attempts.onceWritten(() => claims.wake());
  if (few || attempts.bodyLength > MAX_BODY_LENGTH) return 0;
  const startedAt = performance.now();
  const leased = await lease(deps, room);
  // Stopped in between (SIGSTOP, a paused machine), others may have these deliveries by now.
  if (performance.now() - startedAt > config.leaseMarginMs / 2) return leased.length;
  for (const { slow, ...delivery } of leased) attempts.start(delivery, deps.post(delivery, deps.now()), slow);
  return leased.length;
}

/**
 * One statement locks the lanes, the next sees what those did who held them before. Receivers that keep attempts waiting
 * come first, but leave half of the process's places to the others.
 */
async function lease(
  { db, config, newId, attempts }: Deps,
  limit: number,
): Promise<(LeasedDelivery & { slow: boolean })[]> {
  const leaseToken = newId();
  const slowRoom = Math.min(limit, Math.ceil(config.attemptsInFlight / 2) - attempts.slowCount);
  return db.$transaction(async (transaction) => {
    const lanes = await lockDueLanes(transaction, { limit, slowToo: slowRoom > 0 });
    const leaseOf = async (slow: boolean, room: number) => {
      const of = lanes.filter((lane) => lane.slow === slow).map(({ subscriptionId }) => subscriptionId);
      if (of.length === 0 || room <= 0) return [];
      const { leaseMarginMs } = config;
      const options = { subscriptionIds: of, leaseToken, leaseMarginMs, limit: room };
      const leased = await leaseDeliveries(transaction, {
        ...options,
        perSubscription: ATTEMPTS_PER_SUBSCRIPTION,
      });
      return leased.map((delivery) => ({ ...delivery, slow }));
    };
    const slow = await leaseOf(true, slowRoom);
    return [...slow, ...(await leaseOf(false, limit - slow.length))];
  });
}
