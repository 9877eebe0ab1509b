import { appendToOutbox } from '@trunkline/events';
import type { Deps } from '../deps.js';
import { afterProbe, type HealthThresholds } from '../domain/health/health-state.js';
import type { ProbeOutcome } from '../domain/health/probe-outcome.js';
import {
  lockHealth,
  saveHealth,
  type CarrierHealthRow,
  type ClaimedCarrier,
} from '../storage/carrier-health.js';
import { insertProbes, type NewProbe } from '../storage/health-log.js';
import { healthEvents, type HealthChange } from './health-events.js';
import { recordRoutingChanges } from '../storage/routing-changes.js';

/** What came of the probe of a claimed carrier. */
export interface ProbeResult {
  carrier: Pick<ClaimedCarrier, 'id' | 'updatedAt' | 'claimedAt'>;
  outcome: ProbeOutcome;
}

/** States, log entries, events and the news for routing, in one transaction. Writing the same results twice changes nothing. */
export async function recordProbes(
  { db, config, logger, relay }: Pick<Deps, 'db' | 'config' | 'logger' | 'relay'>,
  results: readonly ProbeResult[],
): Promise<void> {
  const decided = results.filter(({ outcome }) => outcome.kind !== 'undecided');
  const undecided = results.find(({ outcome }) => outcome.kind === 'undecided');
  if (undecided) {
    const probes = results.length - decided.length;
    logger.warn(
      { probes, first: undecided.outcome },
      'probes could not be made; the next period tries again',
    );
  }
  if (decided.length === 0) return;
  const told = await db.$transaction(async (transaction) => {
    const carrierIds = [...new Set(decided.map(({ carrier }) => carrier.id))];
    const before = await lockHealth(transaction, carrierIds);
    const { after, probes, changes } = applyResults(before, decided, config);
    if (probes.length === 0) return 0;
    await insertProbes(transaction, probes);
    await saveHealth(transaction, after);
    if (changes.length === 0) return 0;
    await recordRoutingChanges(
      transaction,
      changes.map(({ carrier }) => carrier.owner),
    );
    const events = healthEvents(changes);
    await appendToOutbox(transaction, events);
    return events.length;
  });
  if (told > 0) relay.wake();
}

/**
 * Works results into the states, in the order of their claims. Three kinds do not count: of a carrier that was deleted
 * or edited since (the probe went to what it was), and one that a later claim's result has overtaken.
 */
function applyResults(
  before: readonly CarrierHealthRow[],
  results: readonly ProbeResult[],
  thresholds: HealthThresholds,
): { after: CarrierHealthRow[]; probes: NewProbe[]; changes: HealthChange[] } {
  const rows = new Map(before.map((row) => [row.carrierId, row]));
  const after = new Map<string, CarrierHealthRow>();
  const probes: NewProbe[] = [];
  const changes: HealthChange[] = [];
  const inOrder = results.toSorted((a, b) => a.carrier.claimedAt.getTime() - b.carrier.claimedAt.getTime());
  for (const { carrier, outcome } of inOrder) {
    const row = after.get(carrier.id) ?? rows.get(carrier.id);
    if (!row || !counts(carrier, row)) continue;
    const { changed, ...state } = afterProbe(row, outcome, thresholds);
    after.set(carrier.id, { ...row, ...state, lastProbeAt: carrier.claimedAt });
    probes.push(logEntry(carrier, outcome));
    if (changed) changes.push({ carrier: row, after: state.status, outcome, at: carrier.claimedAt });
  }
  return { after: [...after.values()], probes, changes };
}

function counts(carrier: ProbeResult['carrier'], row: CarrierHealthRow): boolean {
  if (carrier.updatedAt.getTime() !== row.updatedAt.getTime()) return false;
  return row.lastProbeAt === null || row.lastProbeAt < carrier.claimedAt;
}

/** A slow success is logged as healthy: its response time says the rest. */
function logEntry({ id, claimedAt }: ProbeResult['carrier'], outcome: ProbeOutcome): NewProbe {
  const entry = { carrierId: id, createdAt: claimedAt };
  return outcome.kind === 'alive'
    ? { ...entry, status: 'healthy', responseTimeMs: Math.max(1, Math.round(outcome.responseTimeMs)) }
    : { ...entry, status: 'unhealthy', errorMessage: outcome.error };
}
