import type { Deps } from '../deps.js';
import { getCarrier, lockCarrier, saveCarrier, type Carrier } from '../storage/carriers.js';
import { changeRouting } from '../storage/routing-changes.js';
import { columnsOf, type CarrierFields } from './carrier-fields.js';
import { checkCarrier } from './check-carrier.js';
import { codeTaken } from './code-taken.js';

/** Where a probe goes to. */
const PROBED = ['sipHost', 'sipPort', 'transport', 'healthCheckUrl'] as const;

/** Applies the fields present. Errors: NOT_FOUND, VALIDATION_FAILED, CODE_TAKEN. */
export async function changeCarrier(
  deps: Deps,
  owner: string,
  id: string,
  fields: Partial<CarrierFields>,
): Promise<Carrier> {
  const { db, now, secrets } = deps;
  return changeRouting(db, owner, async (transaction) => {
    // Two changes that are each fine may not be fine together: they take turns.
    await lockCarrier(transaction, owner, id);
    const before = await getCarrier(transaction, owner, id);
    const changes = columnsOf(fields, before.id, secrets);
    const after = { ...before, ...changes };
    checkCarrier(deps, after, fields.health_check_url);
    return saveCarrier(transaction, before.id, changes, mustProbeSoon(before, after) ? now() : undefined);
  }).catch(codeTaken);
}

type Probed = Pick<Carrier, (typeof PROBED)[number] | 'status'>;

function mustProbeSoon(before: Probed, after: Probed): boolean {
  const enabled = before.status === 'disabled' && after.status === 'active';
  return enabled || PROBED.some((column) => before[column] !== after[column]);
}
