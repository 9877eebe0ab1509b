import type { Db, PrismaClient } from './database.js';

/** Whose routes changed: an owner (`TJ…`, `platform`) or `account:<account_id>` (its default-carrier switch). */
export async function recordRoutingChange(db: Db, scope: string): Promise<void> {
  await db.$executeRaw`insert into routing_changes (scope) values (${scope})`;
}

/** Writes, and tells the replicas' routing indexes in the same transaction. */
export async function changeRouting<T>(
  db: PrismaClient,
  scope: string,
  write: (transaction: Db) => Promise<T>,
): Promise<T> {
  return db.$transaction(async (transaction) => {
    const result = await write(transaction);
    await recordRoutingChange(transaction, scope);
    return result;
  });
}
