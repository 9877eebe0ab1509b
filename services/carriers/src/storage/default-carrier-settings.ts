import type { Db } from './database.js';

/** The default carriers are in an account's pool while both switches are on. */
export interface DefaultCarrierSwitches {
  accountEnabled: boolean;
  operatorEnabled: boolean;
}

/** An account that never touched a switch has both on. */
export async function findSwitches(db: Db, accountId: string): Promise<DefaultCarrierSwitches> {
  const setting = await db.defaultCarrierSetting.findUnique({ where: { accountId } });
  return setting ?? { accountEnabled: true, operatorEnabled: true };
}

/** Sets one switch and leaves the other. */
export async function saveSwitch(
  db: Db,
  accountId: string,
  change: { accountEnabled: boolean } | { operatorEnabled: boolean },
): Promise<DefaultCarrierSwitches> {
  return db.defaultCarrierSetting.upsert({
    where: { accountId },
    create: { accountId, ...change },
    update: change,
  });
}
