import { notFound } from '@trunkline/errors';
import type { CarrierRoute, Prisma } from '../generated/prisma/client.js';
import type { Db } from './database.js';

export type { CarrierRoute };

export async function insertRoute(
  db: Db,
  route: Prisma.CarrierRouteUncheckedCreateInput,
): Promise<CarrierRoute> {
  return db.carrierRoute.create({ data: route });
}

/** Newest first. */
export async function listRoutes(db: Db, owner: string, carrierId: string): Promise<CarrierRoute[]> {
  return db.carrierRoute.findMany({
    where: { carrierId, carrier: { owner } },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
  });
}

export async function deleteRoute(db: Db, owner: string, carrierId: string, id: string): Promise<void> {
  const { count } = await db.carrierRoute.deleteMany({ where: { id, carrierId, carrier: { owner } } });
  if (count === 0) throw notFound('carrier route');
}
