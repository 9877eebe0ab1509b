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
  /** Told once, when its loop starts, what makes the next pass follow at once. */
  onStart?(wake: () => void): void;
  /** The last thing before the database closes, when nothing else of the service runs any more. */
  finish?(): Promise<void>;
}

/** Repeats the passes of a worker until stopped; a failed pass is logged and tried again after the usual pause. */
export function repeat(worker: Worker, logger: Logger, metrics: Metrics): { stop(): Promise<void> } {
  let stopped = false;
  let woken = false;
  let endPause: (() => void) | undefined;
  worker.onStart?.(() => {
    woken = true;
    endPause?.();
  });

  const loop = (async () => {
    while (!stopped) {
      woken = false;
      const more = await onePass(worker, logger, metrics);
      if (stopped || more || woken) continue;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, worker.everyMs);
        endPause = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  })();

  return {
    async stop() {
      stopped = true;
      endPause?.();
      await loop;
    },
  };
}

/** What workers leave behind is safe in the database: one that cannot finish stops nothing. */
export async function finishWorkers(workers: readonly Worker[], logger: Logger): Promise<void> {
  for (const worker of workers) {
    await worker.finish?.().catch((error: unknown) => {
      logger.error({ worker: worker.name, error }, 'a worker could not finish; the next start goes on');
    });
  }
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
