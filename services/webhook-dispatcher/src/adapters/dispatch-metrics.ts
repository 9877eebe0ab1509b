import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

export interface DispatchMetrics {
  /** `overtaken`: the lease was somebody else's by then, or there is a newer generation. */
  attempt(outcome: 'delivered' | 'retrying' | 'failed' | 'overtaken', durationMs: number): void;
  queue(state: { waiting: number; oldestDueSeconds: number }): void;
}

export function createDispatchMetrics(registry: Registry, underWay: () => number): DispatchMetrics {
  const registers = [registry];
  const attempts = new Counter({
    name: 'trunkline_webhook_attempts_total',
    help: 'Attempts by what came of them',
    labelNames: ['outcome'],
    registers,
  });
  const durations = new Histogram({
    name: 'trunkline_webhook_attempt_duration_seconds',
    help: 'Time of an attempt',
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers,
  });
  const depth = new Gauge({
    name: 'trunkline_webhook_queue_deliveries',
    help: 'Deliveries that are not final, retries included',
    registers,
  });
  const oldest = new Gauge({
    name: 'trunkline_webhook_queue_oldest_due_seconds',
    help: 'For how long the delivery that waits longest has been due',
    registers,
  });
  new Gauge({
    name: 'trunkline_webhook_attempts_in_flight',
    help: 'Attempts under way in this process, unwritten results included',
    registers,
    collect() {
      this.set(underWay());
    },
  });
  return {
    attempt(outcome, durationMs) {
      attempts.inc({ outcome });
      durations.observe(durationMs / 1_000);
    },
    queue({ waiting, oldestDueSeconds }) {
      depth.set(waiting);
      oldest.set(oldestDueSeconds);
    },
  };
}
