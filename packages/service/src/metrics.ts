import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { RequestObservation } from '@trunkline/http';

/** The metrics of one service. Every label is bounded: routes are patterns, never paths. */
export interface Metrics {
  registry: Registry;
  observeRequest(observation: RequestObservation): void;
  observePass(worker: string, seconds: number, outcome: 'ok' | 'failed', handled: number): void;
}

let defaultsIn: Registry | undefined;

export function createMetrics(service: string): Metrics {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  if (!defaultsIn) collectDefaultMetrics({ register: (defaultsIn = registry) });
  const requests = new Histogram({
    name: 'trunkline_http_request_duration_seconds',
    help: 'Time to answer a request',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  const passes = new Histogram({
    name: 'trunkline_worker_pass_duration_seconds',
    help: 'Time of one pass of a worker',
    labelNames: ['worker', 'outcome'],
    registers: [registry],
  });
  const handled = new Counter({
    name: 'trunkline_worker_handled_total',
    help: 'Items handled by a worker',
    labelNames: ['worker'],
    registers: [registry],
  });
  const lastPass = new Gauge({
    name: 'trunkline_worker_last_success_timestamp_seconds',
    help: 'When the last pass without a failure ended',
    labelNames: ['worker'],
    registers: [registry],
  });
  return {
    registry,
    observeRequest({ method, route, status, durationMs }) {
      requests.observe({ method, route, status }, durationMs / 1_000);
    },
    observePass(worker, seconds, outcome, count) {
      passes.observe({ worker, outcome }, seconds);
      if (count) handled.inc({ worker }, count);
      if (outcome === 'ok') lastPass.setToCurrentTime({ worker });
    },
  };
}
