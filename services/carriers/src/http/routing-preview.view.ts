import type { RouteCandidate } from '../domain/routing/route-candidate.js';
import type { CarrierLoad } from '../storage/channel-leases.js';
import type { RoutingPreview } from '../use-cases/preview-routing.js';

export function routingPreviewView({ to, explanation, loads }: RoutingPreview) {
  const viewOf = (candidate: RouteCandidate) => candidateView(candidate, loads.get(candidate.carrierId));
  return {
    to_e164: to,
    selected: explanation.selected ? viewOf(explanation.selected) : null,
    candidates: explanation.candidates.map(viewOf),
  };
}

function candidateView(candidate: RouteCandidate, load: CarrierLoad | undefined) {
  return {
    carrier_id: candidate.carrierId,
    carrier_name: load?.name ?? null,
    carrier_code: load?.code ?? null,
    owner: candidate.source === 'own' ? 'account' : 'platform',
    route_id: candidate.routeId,
    prefix: candidate.prefix,
    priority: candidate.priority,
    route_priority: candidate.routePriority,
    weight: candidate.weight,
    rate: candidate.rate,
    rate_currency: candidate.rateCurrency,
    health_status: load?.healthStatus ?? null,
    active_channels: load?.active ?? null,
    max_channels: load?.maxChannels ?? null,
    decision: candidate.decision,
    reason: candidate.reason,
  };
}
