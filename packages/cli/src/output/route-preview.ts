import { recordOf, recordsOf, type ApiRecord } from './api-record.js';
import { cellText, printable } from './cell-text.js';
import type { Paint } from './paint.js';
import { noneSentence, reasonText, selectedSentence } from './route-reasons.js';
import { table, type Column } from './table.js';

/** A numbered candidate of a routing preview. */
interface Place {
  number: number;
  candidate: ApiRecord;
}

/** Columns of fields that a platform may leave out are shown where one candidate has them. */
const COLUMNS: (Column<Place> & { only?: string })[] = [
  {
    head: '#',
    of: ({ number, candidate }) => (candidate.decision === 'skipped' ? '' : number),
    align: 'right',
  },
  { head: 'DECISION', of: ({ candidate }) => candidate.decision },
  { head: 'CARRIER', of: ({ candidate }) => candidate.carrier_name ?? candidate.carrier_id },
  { head: 'WHOSE', of: ({ candidate }) => candidate.owner, only: 'owner' },
  { head: 'PREFIX', of: ({ candidate }) => candidate.prefix },
  { head: 'PRIORITY', of: ({ candidate }) => candidate.priority, align: 'right' },
  {
    head: 'ROUTE PRIORITY',
    of: ({ candidate }) => candidate.route_priority,
    only: 'route_priority',
    align: 'right',
  },
  { head: 'WEIGHT', of: ({ candidate }) => candidate.weight, align: 'right' },
  { head: 'RATE', of: ({ candidate }) => rateText(candidate), align: 'right' },
  { head: 'HEALTH', of: ({ candidate }) => candidate.health_status, only: 'health_status' },
  { head: 'CHANNELS', of: ({ candidate }) => channelsText(candidate), only: 'max_channels', align: 'right' },
  { head: 'WHY', of: ({ candidate }) => reasonText(candidate) },
];

/** The answer of the routing preview: a sentence, then all matching routes in the order they are tried. */
export function renderRoutePreview(body: unknown, authId: string, paint: Paint): string {
  const preview = recordOf(body);
  const to = cellText(preview.to_e164);
  const candidates = recordsOf(preview.candidates ?? []);
  const selected = candidates.find(({ decision }) => decision === 'selected');
  const sentence = selected ? selectedSentence(selected, to) : noneSentence(candidates, to, authId);
  if (candidates.length === 0) return printable(sentence);
  let number = 0;
  const places = candidates.map((candidate) => ({
    number: candidate.decision === 'skipped' ? 0 : ++number,
    candidate,
  }));
  const columns = COLUMNS.filter(
    ({ only }) => only === undefined || candidates.some((one) => one[only] != null),
  );
  return `${printable(sentence)}\n\n${table(columns, places, paint)}`;
}

function rateText({ rate, rate_currency: currency }: ApiRecord): string | undefined {
  if (rate === null || rate === undefined) return undefined;
  return currency == null ? cellText(rate) : `${cellText(rate)} ${cellText(currency)}`;
}

function channelsText({ active_channels: active, max_channels: max }: ApiRecord): string {
  return `${cellText(active)}/${cellText(max)}`;
}
