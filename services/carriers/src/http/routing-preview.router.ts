import { ok, routesOf } from '@trunkline/http';
import type { Deps } from '../deps.js';
import { previewRouting } from '../use-cases/preview-routing.js';
import { routingPreview, routingPreviewBody } from './routing-preview.schemas.js';
import { routingPreviewView } from './routing-preview.view.js';
import { ROUTING } from './tags.js';

const route = routesOf<Deps>();

const selected = {
  carrier_id: '3d6f4a52-6f0e-4a57-9d1d-6a3a8f6f0c11',
  carrier_name: 'Acme SIP',
  carrier_code: 'acme-sip',
  owner: 'account',
  route_id: '7c1b2f0e-93a5-4f0a-8a52-1f0f6c4de210',
  prefix: '+44',
  priority: 100,
  route_priority: 100,
  weight: 1,
  rate: 0.012,
  rate_currency: 'USD',
  health_status: 'healthy',
  active_channels: 3,
  max_channels: 100,
  decision: 'selected',
  reason: 'only_candidate',
};

/** Operator API: why a call goes where it goes (decisions 3). */
export const routingPreviewRoutes = [
  route({
    audience: 'operator',
    tag: ROUTING,
    operationId: 'previewRouting',
    method: 'post',
    path: '/operator/v1/routing/preview',
    summary: 'Explain the routing of a call',
    description:
      'Every route that matches, in the order in which carriers would be tried, with the reason for its place. ' +
      'It takes no channel and changes no round-robin turn.',
    body: routingPreviewBody,
    bodyExample: { auth_id: 'TJ4F2A9C1E', to: '+442079460000' },
    responses: {
      200: {
        description: 'The decision',
        schema: routingPreview,
        example: { to_e164: '+442079460000', selected, candidates: [selected] },
      },
    },
    errors: ['NOT_FOUND'],
    handle: async (deps, { body, requestId }) =>
      ok(routingPreviewView(await previewRouting(deps, body, requestId))),
  }),
];
