import { setTimeout as delay } from 'node:timers/promises';
import type { ProbeOutcome } from '../domain/health/probe-outcome.js';
import type { ProbeResult } from './probe-record.js';

/** Results are written together: as many as come within so many milliseconds, up to so many. */
const COLLECT_MS = 50;
const BATCH = 500;
const WRITE_ATTEMPTS = 3;
const RETRY_MS = 200;

interface Batch {
  results: ProbeResult[];
  close: () => void;
  written: Promise<void>;
}

/** The probes of this process between their claim and their written result. */
export class ProbesUnderWay {
  private readonly running = new Set<Promise<void>>();
  private open: Batch | undefined;
  private lastWrite: Promise<void> = Promise.resolve();

  constructor(
    private readonly write: (results: readonly ProbeResult[]) => Promise<void>,
    private readonly onLost: (error: unknown, results: number) => void,
  ) {}

  /** Unwritten results count: a slow database slows the claims down and fills no memory. */
  get count(): number {
    return this.running.size;
  }

  start(carrier: ProbeResult['carrier'], probe: () => Promise<ProbeOutcome>): void {
    const flight = this.follow(carrier, probe).finally(() => this.running.delete(flight));
    this.running.add(flight);
  }

  /** Resolves when no probe is under way and every result is written. */
  async settled(): Promise<void> {
    while (this.running.size > 0) await Promise.all(this.running);
  }

  private async follow(carrier: ProbeResult['carrier'], probe: () => Promise<ProbeOutcome>): Promise<void> {
    const outcome = await probe().catch((error: unknown) => ({
      kind: 'undecided' as const,
      error: String(error),
    }));
    const batch = (this.open ??= this.newBatch());
    batch.results.push({ carrier, outcome });
    if (batch.results.length >= BATCH) batch.close();
    await batch.written;
  }

  private newBatch(): Batch {
    const results: ProbeResult[] = [];
    const { promise: closed, resolve } = withResolver();
    const batch: Batch = {
      results,
      close: () => {
        clearTimeout(timer);
        if (this.open === batch) this.open = undefined;
        resolve();
      },
      // One write at a time: results of one carrier stay in order, and the pool keeps connections for others.
      written: Promise.all([closed, this.lastWrite]).then(() => this.writeOrGiveUp(results)),
    };
    const timer = setTimeout(batch.close, COLLECT_MS);
    this.lastWrite = batch.written;
    return batch;
  }

  /** A result that cannot be written is lost, and the next period's probe takes its place. */
  private async writeOrGiveUp(results: readonly ProbeResult[]): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.write(results);
      } catch (error) {
        if (attempt === WRITE_ATTEMPTS) return this.onLost(error, results.length);
        await delay(RETRY_MS * attempt);
      }
    }
  }
}

function withResolver(): { promise: Promise<void>; resolve: () => void } {
  let resolve = (): void => {};
  const promise = new Promise<void>((fulfil) => (resolve = fulfil));
  return { promise, resolve };
}
