import { eventCatalogue, eventsTopic, type EventEnvelope } from '@trunkline/contracts';
import type { Consumer } from '@trunkline/events';
import type { Deps } from '../deps.js';
import type { AcceptedEvent } from '../storage/fan-out.js';
import { publishEvents } from '../use-cases/publish-event.js';

/** Every event of the platform goes to the subscriptions of its tenant, also one of a type that is newer than this service. */
export function fanOutEvents(deps: Deps): Consumer {
  return {
    group: 'notifications',
    topic: eventsTopic,
    contracts: eventCatalogue,
    otherTypes: 'pass',
    async handle(envelopes) {
      const events = envelopes.filter(isStorable);
      if (events.length < envelopes.length) {
        const ids = envelopes.filter((envelope) => !isStorable(envelope)).map(({ id }) => id);
        deps.logger.error({ ids }, 'events with a type that cannot be stored were left out');
      }
      await publishEvents(deps, events.map(acceptedEvent));
    },
  };
}

function acceptedEvent(envelope: EventEnvelope): AcceptedEvent {
  return {
    id: envelope.id,
    tenantId: envelope.tenant_id,
    type: envelope.type,
    payload: JSON.stringify(envelope.data),
    occurredAt: new Date(envelope.occurred_at),
    requestId: envelope.request_id,
  };
}

/** PostgreSQL holds no U+0000 and no half of a surrogate pair; in `data` JSON writes both as escapes. */
function isStorable({ type, tenant_id, request_id = '' }: EventEnvelope): boolean {
  return !/[\0\p{Surrogate}]/u.test(type + tenant_id + request_id);
}
