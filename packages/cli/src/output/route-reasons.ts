import type { ApiRecord } from './api-record.js';
import { cellText } from './cell-text.js';

const REASONS: Record<string, string> = {
  only_candidate: 'the only one left at the best match',
  round_robin: 'weighted round-robin',
  least_cost: 'the lowest rate',
  rotation: 'equal rates take turns',
  shorter_prefix: 'a shorter prefix',
  lower_priority: 'a lower priority',
  higher_rate: 'a higher rate',
  carrier_disabled: 'the carrier is disabled',
  inbound_only: 'the carrier is for inbound calls only',
  unhealthy: 'its health probes fail',
  full: 'all its channels are taken',
  already_tried: 'already tried for this call',
  duplicate: 'listed above with a better route',
};

/** Why the selected one, as the end of "…, because …". */
const WHY_SELECTED: Record<string, (candidate: ApiRecord) => string> = {
  only_candidate: ({ prefix }) =>
    `it is the only carrier that can take the call at the best match (longest prefix ${cellText(prefix)}, then priority)`,
  round_robin: ({ weight }) =>
    `it is its turn in the weighted round-robin (weight ${cellText(weight)}) among carriers of equal prefix and priority`,
  least_cost: ({ rate, rate_currency: currency }) =>
    `its rate ${currency == null ? cellText(rate) : `${cellText(rate)} ${cellText(currency)}`} is the lowest among carriers of equal prefix, priority and weight`,
  rotation: () => 'it is its turn among carriers of equal prefix, priority, weight and rate',
};

/** The reason of a candidate in words; one that this version does not know, as it came. */
export function reasonText({ reason }: ApiRecord): string {
  return REASONS[String(reason)] ?? cellText(reason).replaceAll('_', ' ');
}

export function selectedSentence(selected: ApiRecord, to: string): string {
  const why = WHY_SELECTED[String(selected.reason)]?.(selected) ?? reasonText(selected);
  const name = selected.carrier_name;
  const carrier =
    name == null ? cellText(selected.carrier_id) : `${cellText(name)} (${cellText(selected.carrier_id)})`;
  return `A call to ${to} goes to ${carrier}, because ${why}.`;
}

export function noneSentence(candidates: readonly ApiRecord[], to: string, authId: string): string {
  if (candidates.length === 0) {
    return `No carrier takes a call to ${to}: no route of ${authId} or of the default carriers matches it.`;
  }
  const counts = new Map<string, number>();
  for (const candidate of candidates) {
    const reason = reasonText(candidate);
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  const reasons = [...counts].map(([reason, count]) =>
    candidates.length === 1 ? reason : `${count} × ${reason}`,
  );
  const matching =
    candidates.length === 1 ? 'the one matching route is' : `all ${candidates.length} matching routes are`;
  return `No carrier takes a call to ${to} (502 NO_CARRIER_AVAILABLE): ${matching} skipped: ${reasons.join(', ')}.`;
}
