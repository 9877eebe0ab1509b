import type { RequestObservation } from '@trunkline/http';
import type { Logger } from './logger.js';
import type { Metrics } from './metrics.js';

/** Measures and logs a finished request. A 4xx is the caller's business and never logged as an error. */
export function requestObserver(logger: Logger, metrics: Metrics): (observation: RequestObservation) => void {
  // Its fields are fixed and hold no secret, so the line is spared the search for one.
  const lines = logger.child({}, { redact: [] });
  return (observation) => {
    metrics.observeRequest(observation);
    const { requestId, method, route, status, durationMs, error } = observation;
    const line = { request_id: requestId, method, route, status, ms: Math.round(durationMs * 10) / 10 };
    if (status >= 500) logger.error({ ...line, error }, 'request failed');
    else lines.info(line, 'request');
  };
}
