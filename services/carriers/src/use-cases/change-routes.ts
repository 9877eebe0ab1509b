import { randomUUID } from 'node:crypto';
import { isUniqueViolation } from '@trunkline/database';
import { conflict } from '@trunkline/errors';
import type { Deps } from '../deps.js';
import { deleteRoute, insertRoute, type CarrierRoute } from '../storage/carrier-routes.js';
import { lockCarrier } from '../storage/carriers.js';
import { changeRouting } from '../storage/routing-changes.js';

export interface RouteFields {
  prefix: string;
  priority: number;
  rate: number | null;
  rate_currency: string;
}

/** Errors: NOT_FOUND, ROUTE_EXISTS. */
export async function addRoute(
  { db }: Deps,
  owner: string,
  carrierId: string,
  { rate_currency: rateCurrency, ...fields }: RouteFields,
): Promise<CarrierRoute> {
  return changeRouting(db, owner, async (transaction) => {
    await lockCarrier(transaction, owner, carrierId);
    return insertRoute(transaction, { id: randomUUID(), carrierId, rateCurrency, ...fields });
  }).catch((error: unknown) => {
    throw isUniqueViolation(error)
      ? conflict('ROUTE_EXISTS', 'The carrier already has a route with this prefix.')
      : error;
  });
}

export async function removeRoute({ db }: Deps, owner: string, carrierId: string, id: string): Promise<void> {
  await changeRouting(db, owner, (transaction) => deleteRoute(transaction, owner, carrierId, id));
}
