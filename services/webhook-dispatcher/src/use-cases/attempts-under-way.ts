import { setTimeout as delay } from 'node:timers/promises';
import type { PostedAttempt } from '../adapters/post-delivery.js';
import type { LeasedDelivery } from '../storage/deliveries.js';

/** Results are written together: as many as come within so many milliseconds, up to so many. */
const COLLECT_MS = 10;
const BATCH = 500;
const WRITE_ATTEMPTS = 3;
const RETRY_MS = 200;

/** An attempt that was made and is not written yet. */
export interface AttemptResult {
  delivery: LeasedDelivery;
  attempt: PostedAttempt;
}

interface Batch {
  results: AttemptResult[];
  close: () => void;
  written: Promise<void>;
}

/** The attempts of this process between the lease of their delivery and their written result. */
export class AttemptsUnderWay {
  private readonly running = new Set<Promise<void>>();
  private open: Batch | undefined;
  private lastWrite: Promise<void> = Promise.resolve();
  private bodyChars = 0;
  private slow = 0;
  private afterWrite: (() => void) | undefined;

  constructor(
    private readonly write: (results: readonly AttemptResult[]) => Promise<void>,
    private readonly onLost: (error: unknown, results: number) => void,
  ) {}

  /** Unwritten results count: a slow database slows the claims down and fills no memory. */
  get count(): number {
    return this.running.size;
  }

  /** Those to receivers that keep attempts waiting. */
  get slowCount(): number {
    return this.slow;
  }

  /** Length of their bodies, in characters. */
  get bodyLength(): number {
    return this.bodyChars;
  }

  start(delivery: LeasedDelivery, attempt: Promise<PostedAttempt>, slow: boolean): void {
    const { length } = delivery.body;
    this.bodyChars += length;
    this.slow += Number(slow);
    const flight = this.follow(delivery, attempt).finally(() => {
      this.running.delete(flight);
      this.bodyChars -= length;
      this.slow -= Number(slow);
    });
    this.running.add(flight);
  }

  /** Calls back once, when results are written next: there is room again. */
  onceWritten(then: () => void): void {
    this.afterWrite = then;
  }

  /** Resolves when no attempt is under way and every result is written. */
  async settled(): Promise<void> {
    while (this.running.size > 0) await Promise.all(this.running);
  }

  private async follow(delivery: LeasedDelivery, attempt: Promise<PostedAttempt>): Promise<void> {
    const result = { delivery, attempt: await attempt };
    const batch = (this.open ??= this.newBatch());
    batch.results.push(result);
    if (batch.results.length >= BATCH) batch.close();
    await batch.written;
  }

  private tellRoom(): void {
    const then = this.afterWrite;
    this.afterWrite = undefined;
    then?.();
  }

  private newBatch(): Batch {
    const results: AttemptResult[] = [];
    let close = (): void => {};
    const closed = new Promise<void>((resolve) => (close = resolve));
    const batch: Batch = {
      results,
      close: () => {
        clearTimeout(timer);
        if (this.open === batch) this.open = undefined;
        close();
      },
      // One write at a time: the pool keeps connections for claims, and batches grow while the database is slow.
      written: Promise.all([closed, this.lastWrite]).then(() => this.writeOrGiveUp(results)),
    };
    const timer = setTimeout(batch.close, COLLECT_MS);
    this.lastWrite = batch.written;
    // Behind the flights of this batch, which have left by then.
    void batch.written.then(() => setImmediate(() => this.tellRoom()));
    return batch;
  }

  /** Of a result that cannot be written the lease runs out, and the attempt is made again. */
  private async writeOrGiveUp(results: readonly AttemptResult[]): Promise<void> {
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
