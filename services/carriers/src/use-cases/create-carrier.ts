import { randomUUID } from 'node:crypto';
import { isUniqueViolation } from '@trunkline/database';
import type { Deps } from '../deps.js';
import { freeCode, slugOf, stemOf } from '../domain/carrier/carrier-code.js';
import { insertCarrier, listCodes, type Carrier } from '../storage/carriers.js';
import { changeRouting } from '../storage/routing-changes.js';
import { columnsOf, type CarrierFields } from './carrier-fields.js';
import { checkCarrier } from './check-carrier.js';
import { codeTaken } from './code-taken.js';

export type NewCarrierFields = Omit<CarrierFields, 'status'>;

/** Far more than the creates of one name by one owner that can be under way at once. */
const ATTEMPTS = 1_000;

/** Errors: VALIDATION_FAILED; CODE_TAKEN when the code was given and not made from the name. */
export async function createCarrier(
  deps: Deps,
  { owner, tenantId }: { owner: string; tenantId: string | null },
  fields: NewCarrierFields,
): Promise<Carrier> {
  const { db, now, secrets } = deps;
  const id = randomUUID();
  const columns = { ...columnsOf(fields, id, secrets), id, owner, tenantId };
  checkCarrier(deps, columns, fields.health_check_url);
  const insert = (code: string) =>
    changeRouting(db, owner, (transaction) => insertCarrier(transaction, { ...columns, code }, now()));
  return fields.code === undefined
    ? insertUnderFreeCode(deps, owner, slugOf(fields.name), insert)
    : insert(fields.code).catch(codeTaken);
}

/** The unique index decides: a code that another create took in between is followed by the next free one. */
async function insertUnderFreeCode(
  { db }: Deps,
  owner: string,
  slug: string,
  insert: (code: string) => Promise<Carrier>,
): Promise<Carrier> {
  let code = slug;
  for (let attempt = 1; ; attempt++) {
    try {
      return await insert(code);
    } catch (error) {
      if (attempt === ATTEMPTS || !isUniqueViolation(error)) throw error;
      code = freeCode(slug, new Set(await listCodes(db, owner, stemOf(slug))));
    }
  }
}
