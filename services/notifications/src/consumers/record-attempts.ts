import { webhooksContract, type EventEnvelope } from '@trunkline/contracts';
import type { Consumer } from '@trunkline/events';
import type { Deps } from '../deps.js';
import { recordAttempts } from '../use-cases/record-attempts.js';

/** What the dispatcher reports goes into the delivery log. */
export function recordAttemptsConsumer(deps: Deps): Consumer {
  return {
    group: 'notifications',
    topic: webhooksContract.attemptMade.topic,
    contracts: [webhooksContract.attemptMade],
    handle: (envelopes) =>
      recordAttempts(
        deps,
        // The frame has validated them against the contract.
        (envelopes as readonly EventEnvelope<webhooksContract.WebhookAttempt>[]).map(({ data }) => data),
      ),
  };
}
