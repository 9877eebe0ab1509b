import { randomUUID } from 'node:crypto';
import type { Db } from './database.js';

/** An entry of the health log (specification, Health probe). */
export interface NewProbe {
  carrierId: string;
  status: 'healthy' | 'unhealthy';
  /** Whole milliseconds, at least 1; only with 'healthy'. */
  responseTimeMs?: number;
  /** Only with 'unhealthy'. */
  errorMessage?: string;
  /** When the probe was made. */
  createdAt: Date;
}

export async function insertProbes(db: Db, probes: readonly NewProbe[]): Promise<void> {
  const written = probes.map((probe) => ({
    id: timeOrderedId(probe.createdAt),
    carrier_id: probe.carrierId,
    status: probe.status,
    response_time_ms: probe.responseTimeMs,
    error_message: probe.errorMessage,
    created_at: probe.createdAt,
  }));
  await db.$executeRaw`
    insert into health_probes (id, carrier_id, status, response_time_ms, error_message, created_at)
    select id, carrier_id, status, response_time_ms, error_message, created_at
    from jsonb_to_recordset(${JSON.stringify(written)}::jsonb)
      as w(id uuid, carrier_id uuid, status text, response_time_ms int, error_message text, created_at timestamptz)`;
}

/** Deletes one batch of entries older than so many days, the oldest first. */
export async function pruneProbes(db: Db, days: number, limit: number): Promise<number> {
  return db.$executeRaw`
    delete from health_probes where id in (
      select id from health_probes where created_at < now() - ${days}::int * interval '1 day'
      order by created_at limit ${limit} for update skip locked)`;
}

/** UUID v7 (RFC 9562 5.7): the log grows to hundreds of millions of rows, and random keys would scatter over its index. */
function timeOrderedId(at: Date): string {
  const time = at.getTime().toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}
