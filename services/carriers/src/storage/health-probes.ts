import type { HealthProbe } from '../generated/prisma/client.js';
import type { Db } from './database.js';

export type { HealthProbe };

/** The latest probes of a carrier, the latest first. Ask only for a carrier of the caller: probes know no owner. */
export async function listProbes(db: Db, carrierId: string, limit: number): Promise<HealthProbe[]> {
  return db.healthProbe.findMany({
    where: { carrierId },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: limit,
  });
}
