import { randomUUID } from 'node:crypto';
import type { carriersContract } from '@trunkline/contracts';
import { badGateway, invalid } from '@trunkline/errors';
import { normaliseE164 } from '@trunkline/phone';
import type { Deps } from '../deps.js';
import { advance, retreat } from '../domain/routing/cursors.js';
import { decideRoute, selectedRoute, type RouteDecision } from '../domain/routing/decide-route.js';
import { explainRoute } from '../domain/routing/explain-route.js';
import type { RouteRequest } from '../domain/routing/select-in-tier.js';
import { findCarrierLoads, takeChannel, type TakenChannel } from '../storage/channel-leases.js';

interface Reservation {
  leaseId: string;
  decision: RouteDecision;
  channel: TakenChannel;
}

/**
 * Decides where a call goes and takes a channel there (specification "Routing of an outbound call", decisions 3).
 * Throws VALIDATION_FAILED when `to` is no telephone number, NO_CARRIER_AVAILABLE when nothing can take the call.
 */
export async function reserveChannel(
  deps: Deps,
  request: carriersContract.ReserveRequest,
): Promise<carriersContract.ReservedCarrier> {
  const to = e164Of(request.to);
  const asked: RouteRequest = {
    ...deps.routing.poolOf(request),
    to,
    currency: request.currency,
    cursors: deps.routing.cursors,
    exclude: new Set(request.exclude_carrier_ids),
  };
  const { leaseId, decision, channel } = await takeFirstFree(deps, asked, request.auth_id);
  const route = selectedRoute(asked, decision);
  const { carrierId: id } = decision;
  return {
    lease_id: leaseId,
    expires_at: channel.expiresAt.toISOString(),
    to_e164: to,
    carrier: {
      id,
      sip_host: channel.sipHost,
      sip_port: channel.sipPort,
      transport: channel.transport as 'udp' | 'tcp' | 'tls',
      auth_username: channel.authUsername,
      auth_password:
        channel.authPasswordSealed === null
          ? null
          : deps.secrets.open(channel.authPasswordSealed, `carrier:${id}`),
      codec_preferences: channel.codecPreferences,
      config: channel.config,
    },
    route: { id: route.routeId, prefix: route.prefix, rate: route.rate, rate_currency: route.rateCurrency },
  };
}

/** The number a call goes to, in canonical E.164; throws VALIDATION_FAILED naming `to`. */
export function e164Of(to: string): string {
  const canonical = normaliseE164(to);
  if (canonical === undefined)
    throw invalid([
      { field: 'to', message: 'to must be a telephone number in international form, such as +14155550100' },
    ]);
  return canonical;
}

/**
 * Supposes that every carrier is free, as nearly always, and asks for the loads only once one refuses. A carrier that
 * refused although it seems free lost its channels to others in between: it is asked once more, then passed over.
 */
async function takeFirstFree(deps: Deps, asked: RouteRequest, authId: string): Promise<Reservation> {
  const { db, config, logger, routing } = deps;
  const refused = new Set<string>();
  const full = new Set<string>();
  const isFull = (carrierId: string) => full.has(carrierId);
  for (;;) {
    const decision = decideRoute({ ...asked, isFull });
    if (!decision) {
      const reasons = explainRoute({ ...asked, isFull }).candidates.map(({ carrierId, reason }) => ({
        carrierId,
        reason,
      }));
      logger.info({ auth_id: authId, candidates: reasons }, 'no carrier can take a call');
      throw badGateway('NO_CARRIER_AVAILABLE', 'No carrier can take a call to this destination.');
    }
    const { carrierId } = decision;
    const leaseId = randomUUID();
    // The turn is taken before anything is awaited: calls that come together then spread. A failover attempt has had its turn.
    const takesTurn = !asked.exclude?.size;
    if (takesTurn) advance(routing.cursors, decision);
    const channel = await takeChannel(db, { leaseId, carrierId, leaseSeconds: config.leaseSeconds });
    if (channel) return { leaseId, decision, channel };
    if (takesTurn) retreat(routing.cursors, decision);
    if (refused.has(carrierId)) full.add(carrierId);
    refused.add(carrierId);
    for (const id of await findFull(deps, asked)) full.add(id);
  }
}

/** The carriers of the failover list that can take no call right now, in one query. */
async function findFull({ db }: Deps, asked: RouteRequest): Promise<string[]> {
  const ids = explainRoute(asked).failover.map(({ carrierId }) => carrierId);
  const loads = await findCarrierLoads(db, ids);
  return ids.filter((id) => loads.get(id)?.full ?? true);
}
