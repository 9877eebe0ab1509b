import type { Logger } from './logger.js';
import type { Metrics } from './metrics.js';

/** Work that is due. A pass is one call and holds no loop: tests call it directly. */
export interface Worker {
  name: string;
  /** Pause between two passes. */
  everyMs: number;
  /**
   * Claims one batch of due work and does it.
   * @returns how many items it handled, and `more: true` when the batch was full, so that the next pass follows at once
   */
  pass(): Promise<{ handled: number; more?: boolean }>;
}

/** Repeats the passes of a worker until stopped; a failed pass is logged and tried again after the usual pause. */
export function repeat(worker: Worker, logger: Logger, metrics: Metrics): { stop(): Promise<void> } {
  let stopped = false;
  let wake: (() => void) | undefined;

  const loop = (async () => {
    while (!stopped) {
      const more = await onePass(worker, logger, metrics);
      if (stopped || more) continue;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, worker.everyMs);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  })();

  return {
    async stop() {
      stopped = true;
      wake?.();
      await loop;
    },
  };
}

async function onePass(worker: Worker, logger: Logger, metrics: Metrics): Promise<boolean> {
  const started = performance.now();
  const seconds = () => (performance.now() - started) / 1_000;
  try {
    const { handled, more } = await worker.pass();
    metrics.observePass(worker.name, seconds(), 'ok', handled);
    return more ?? false;
  } catch (error) {
    metrics.observePass(worker.name, seconds(), 'failed', 0);
    logger.error({ worker: worker.name, error }, 'a pass failed; it is tried again');
    return false;
  }
}
