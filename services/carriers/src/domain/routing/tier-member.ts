import { carrierOf, currencyOf, rateOf } from './route-table.js';
import type { RouteIndex } from './route-index.js';
import type { RoutePool } from './tier-walk.js';

/**
 * A route of a tier as one small integer: an own route is its row, a default route the complement of its row
 * (so -1 is row 0). Own routes come first, and each owner's in carrier id order: the order that breaks ties.
 */
export type TierMember = number;

export function indexOf(pool: RoutePool, member: TierMember): RouteIndex {
  return member >= 0 ? pool.own! : pool.defaults!;
}

export function rowOf(member: TierMember): number {
  return member >= 0 ? member : ~member;
}

export function weightOf(pool: RoutePool, member: TierMember): number {
  const { table } = indexOf(pool, member);
  return table.weights[carrierOf(table, rowOf(member))]!;
}

/**
 * Least cost first: rates in the account's currency ascending, then those in another by currency code and rate,
 * then routes without a rate (decisions 3). 0 means equal, and equal rates rotate.
 */
export function compareRates(pool: RoutePool, a: TierMember, b: TierMember, currency: string): number {
  const aTable = indexOf(pool, a).table;
  const bTable = indexOf(pool, b).table;
  const aRate = rateOf(aTable, rowOf(a));
  const bRate = rateOf(bTable, rowOf(b));
  if (Number.isNaN(aRate) || Number.isNaN(bRate))
    return Number(Number.isNaN(aRate)) - Number(Number.isNaN(bRate));
  const aCurrency = currencyOf(aTable, rowOf(a));
  const bCurrency = currencyOf(bTable, rowOf(b));
  if (aCurrency === bCurrency) return aRate - bRate;
  if (aCurrency === currency) return -1;
  if (bCurrency === currency) return 1;
  return aCurrency < bCurrency ? -1 : 1;
}
