import { notFound } from '@trunkline/errors';
import type { Prisma } from '../generated/prisma/client.js';
import type { Db } from './database.js';

export type DeliveryStatus = 'pending' | 'delivered' | 'failed';

export interface DeliveryFilter {
  eventType?: string | undefined;
  status?: DeliveryStatus | undefined;
  subscriptionId?: string | undefined;
}

/** A log entry with the payload of its event. */
export interface LogEntry {
  id: string;
  /** Null: the event matched no subscription, and this is the event itself. */
  subscriptionId: string | null;
  eventType: string;
  payload: string;
  status: DeliveryStatus;
  attempts: number;
  lastAttemptAt: Date | null;
  lastError: string | null;
  createdAt: Date;
}

/** `last_error` of an event that matched no subscription. */
export const NO_SUBSCRIPTION = 'no_matching_subscription';

/** Newest first. */
export async function listDeliveries(
  db: Db,
  tenantId: string,
  filter: DeliveryFilter,
  window: { skip: number; take: number },
): Promise<{ entries: LogEntry[]; total: number }> {
  const where = whereOf(tenantId, filter);
  const [rows, total] = await Promise.all([
    db.delivery.findMany({ where, orderBy: [{ createdAt: 'desc' }, { id: 'desc' }], ...window }),
    db.delivery.count({ where }),
  ]);
  return { entries: await withPayloads(db, rows), total };
}

export async function getDelivery(
  db: Db,
  tenantId: string,
  id: string,
  subscriptionId?: string,
): Promise<LogEntry> {
  const entry = await findDelivery(db, id, { tenantId, subscriptionId });
  if (!entry) throw notFound('notification');
  return entry;
}

async function findDelivery(
  db: Db,
  id: string,
  { tenantId, subscriptionId }: { tenantId: string; subscriptionId?: string | undefined },
): Promise<LogEntry | undefined> {
  const row = await db.delivery.findFirst({ where: { id, ...whereOf(tenantId, { subscriptionId }) } });
  const [entry] = row ? await withPayloads(db, [row]) : [];
  return entry;
}

/** The log entry, or the event of this id that matched no subscription: nobody got it, so it shows as failed (decisions 8). */
export async function getNotification(db: Db, tenantId: string, id: string): Promise<LogEntry> {
  const entry = await findDelivery(db, id, { tenantId });
  if (entry) return entry;
  const event = await db.event.findFirst({ where: { id, tenantId } });
  if (!event || (await db.delivery.count({ where: { eventId: id, tenantId } })) > 0)
    throw notFound('notification');
  const { type, payload, createdAt } = event;
  return {
    ...{ id, subscriptionId: null, eventType: type, payload, createdAt },
    ...{ status: 'failed', attempts: 0, lastAttemptAt: null, lastError: NO_SUBSCRIPTION },
  };
}

function whereOf(tenantId: string, { eventType, status, subscriptionId }: DeliveryFilter) {
  return {
    tenantId,
    ...(eventType !== undefined && { eventType }),
    ...(status !== undefined && { status }),
    ...(subscriptionId !== undefined && { subscriptionId }),
  } satisfies Prisma.DeliveryWhereInput;
}

/** Payloads are kept once an event, not once an entry. */
async function withPayloads(db: Db, rows: readonly Prisma.DeliveryGetPayload<object>[]): Promise<LogEntry[]> {
  const eventIds = [...new Set(rows.map(({ eventId }) => eventId))];
  const events = await db.event.findMany({
    where: { id: { in: eventIds } },
    select: { id: true, payload: true },
  });
  const payloads = new Map(events.map(({ id, payload }) => [id, payload]));
  return rows.map((row) => ({
    ...row,
    status: row.status as DeliveryStatus,
    payload: payloads.get(row.eventId) ?? 'null',
  }));
}
