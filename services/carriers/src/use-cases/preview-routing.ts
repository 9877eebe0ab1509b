import { accountsContract } from '@trunkline/contracts';
import { notFound } from '@trunkline/errors';
import type { Deps } from '../deps.js';
import { explainRoute, type RouteExplanation } from '../domain/routing/explain-route.js';
import type { RouteRequest } from '../domain/routing/select-in-tier.js';
import { findCarrierLoads, type CarrierLoad } from '../storage/channel-leases.js';
import { e164Of } from './reserve-channel.js';

export interface RoutingPreview {
  to: string;
  explanation: RouteExplanation;
  /** By carrier id. */
  loads: Map<string, CarrierLoad>;
}

/**
 * What the next reservation of this key would decide, and why; it moves no cursor and takes no channel.
 * Throws NOT_FOUND when there is no such key, VALIDATION_FAILED when `to` is no telephone number.
 */
export async function previewRouting(
  { db, rpc, routing }: Deps,
  request: { auth_id: string; to: string },
  requestId: string,
): Promise<RoutingPreview> {
  const to = e164Of(request.to);
  const { keys } = await rpc.call(accountsContract.findKeys, { auth_ids: [request.auth_id] }, { requestId });
  const [key] = keys;
  if (!key) throw notFound('API key');
  const asked: RouteRequest = {
    ...routing.poolOf(key),
    to,
    currency: key.currency,
    cursors: routing.cursors,
  };
  const matching = explainRoute(asked).candidates.map(({ carrierId }) => carrierId);
  const loads = await findCarrierLoads(db, matching);
  return { to, loads, explanation: explainRoute({ ...asked, isFull: (id) => loads.get(id)?.full ?? true }) };
}
