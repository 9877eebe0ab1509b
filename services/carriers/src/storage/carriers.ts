import { notFound } from '@trunkline/errors';
import type { Prisma } from '../generated/prisma/client.js';
import type { Db } from './database.js';

/** The owner of the default carriers. Accounts' own carriers are owned by the Auth ID that created them. */
export const PLATFORM = 'platform';

const withState = { health: true, channels: true } as const satisfies Prisma.CarrierInclude;
const newestFirst = [
  { createdAt: 'desc' },
  { id: 'desc' },
] satisfies Prisma.CarrierOrderByWithRelationInput[];

/** A carrier with what is known of its health and how many of its channels are taken. */
export type Carrier = Prisma.CarrierGetPayload<{ include: typeof withState }>;
export type NewCarrier = Omit<Prisma.CarrierUncheckedCreateInput, 'routes' | 'health' | 'channels'>;
export type CarrierChanges = Partial<Omit<NewCarrier, 'id' | 'owner' | 'createdAt' | 'updatedAt'>>;

/** The first probe is due at once. */
export async function insertCarrier(db: Db, carrier: NewCarrier, now: Date): Promise<Carrier> {
  const state = { health: { create: { nextProbeAt: now } }, channels: { create: {} } };
  return db.carrier.create({ data: { ...carrier, ...state }, include: withState });
}

export async function getCarrier(db: Db, owner: string, id: string): Promise<Carrier> {
  const carrier = await db.carrier.findFirst({ where: { id, owner }, include: withState });
  if (!carrier) throw notFound('carrier');
  return carrier;
}

/** Keeps others from changing or deleting the carrier until the transaction ends. */
export async function lockCarrier(db: Db, owner: string, id: string): Promise<void> {
  const rows = await db.$queryRaw<unknown[]>`
    select id from carriers where id = ${id}::uuid and owner = ${owner} for update`;
  if (rows.length === 0) throw notFound('carrier');
}

/** Newest first. */
export async function listCarriers(
  db: Db,
  owner: string,
  window: { skip?: number; take?: number } = {},
): Promise<Carrier[]> {
  return db.carrier.findMany({ where: { owner }, orderBy: newestFirst, include: withState, ...window });
}

export async function countCarriers(db: Db, owner: string): Promise<number> {
  return db.carrier.count({ where: { owner } });
}

export async function listCodes(db: Db, owner: string, stem: string): Promise<string[]> {
  const carriers = await db.carrier.findMany({
    where: { owner, code: { startsWith: stem } },
    select: { code: true },
  });
  return carriers.map(({ code }) => code);
}

/** Only the keys present are written. `probeAt` makes the next probe due then. */
export async function saveCarrier(
  db: Db,
  id: string,
  changes: CarrierChanges,
  probeAt?: Date,
): Promise<Carrier> {
  const health = probeAt && { health: { update: { nextProbeAt: probeAt } } };
  return db.carrier.update({ where: { id }, data: { ...changes, ...health }, include: withState });
}

/** Its routes, health and channel count go with it; leases and the log of probes run out by themselves. */
export async function deleteCarrier(db: Db, owner: string, id: string): Promise<void> {
  const { count } = await db.carrier.deleteMany({ where: { id, owner } });
  if (count === 0) throw notFound('carrier');
}
