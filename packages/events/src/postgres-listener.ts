import pg from 'pg';
import { CHANNEL } from './postgres-log.js';

const RECONNECT_MS = 500;

/** Hears of stored messages. A broken connection is replaced; what was missed meanwhile the members' polls find. */
export class PostgresListener {
  private client: pg.Client | undefined;
  private readonly waiting = new Map<string, Set<() => void>>();
  private reconnect: NodeJS.Timeout | undefined;
  private closed = false;

  constructor(private readonly url: string) {}

  /** Calls `listener` whenever messages of the topic were stored, until the answered function is called. */
  listen(topic: string, listener: () => void): () => void {
    const listeners = this.waiting.get(topic) ?? new Set();
    this.waiting.set(topic, listeners.add(listener));
    if (!this.client) void this.connect();
    return () => void listeners.delete(listener);
  }

  async close(): Promise<void> {
    this.closed = true;
    clearTimeout(this.reconnect);
    await this.client?.end().catch(() => undefined);
  }

  private async connect(): Promise<void> {
    const client = new pg.Client({
      connectionString: this.url,
      application_name: 'events-listener',
      keepAlive: true,
    });
    this.client = client;
    let broken = false;
    const replace = () => {
      if (broken || this.closed) return;
      broken = true;
      this.reconnect = setTimeout(() => void this.connect(), RECONNECT_MS).unref();
    };
    client.on('error', replace);
    client.on('end', replace);
    client.on('notification', ({ payload }) => this.tell(payload));
    try {
      await client.connect();
      await client.query(`listen ${CHANNEL}`);
      for (const topic of this.waiting.keys()) this.tell(topic);
    } catch {
      replace();
    }
  }

  private tell(topic: string | undefined): void {
    for (const listener of this.waiting.get(topic ?? '') ?? []) listener();
  }
}
