/**
 * One owner's routes: a digit trie over their prefixes and the routes themselves in one array of 16-byte slots.
 * Nothing here changes after the build.
 *
 * A slot is a node of the trie or a route. The slots of a branch lie together: the children of a node side by side in
 * digit order, its routes side by side in rank order. A decision among a million prefixes is bound by cold memory
 * pages, and this layout touches few of them.
 *
 *     node    word 0  slot of the first child
 *             word 1  bits 0-9: the digits that have a child, bits 10-13: depth, bits 14-31: number of routes
 *             word 2  slot of the first route
 *             word 3  slot of the nearest node above that has routes, or NO_NODE
 *     route   word 0  carrier << 8 | currency, as places in the tables beside
 *             word 1  route priority
 *             2 and 3 rate per minute (a double, NaN without one)
 */
export interface RouteTable {
  readonly slots: Int32Array;
  /** The same memory, read as doubles. */
  readonly doubles: Float64Array;
  /** By slot; empty for a node. */
  readonly routeIds: readonly string[];
  readonly currencies: readonly string[];
  readonly carrierPriorities: Float64Array;
  readonly weights: Float64Array;
}

export const ROOT = 0;
export const NO_NODE = -1;
export const MAX_CARRIERS = 2 ** 23;
export const MAX_CURRENCIES = 2 ** 8;
export const MAX_ROUTES_OF_PREFIX = 2 ** 18 - 1;

const DIGIT_BITS = 10;
const DIGITS = (1 << DIGIT_BITS) - 1;
const ROUTES_SHIFT = 14;
const CURRENCY_BITS = 8;

/** ONES[m] is the number of bits set in m. */
const ONES = new Uint8Array(1 << DIGIT_BITS);
for (let mask = 1; mask < ONES.length; mask++) ONES[mask] = ONES[mask >> 1]! + (mask & 1);

export function writeNode(
  slots: Int32Array,
  slot: number,
  node: {
    children: number;
    digits: number;
    depth: number;
    routes: number;
    routeCount: number;
    above: number;
  },
): void {
  slots[slot * 4] = node.children;
  slots[slot * 4 + 1] = node.digits | (node.depth << DIGIT_BITS) | (node.routeCount << ROUTES_SHIFT);
  slots[slot * 4 + 2] = node.routes;
  slots[slot * 4 + 3] = node.above;
}

export function writeRoute(
  table: Pick<RouteTable, 'slots' | 'doubles'>,
  slot: number,
  route: { carrier: number; currency: number; priority: number; rate: number },
): void {
  table.slots[slot * 4] = (route.carrier << CURRENCY_BITS) | route.currency;
  table.slots[slot * 4 + 1] = route.priority;
  table.doubles[slot * 2 + 1] = route.rate;
}

/**
 * The node of the longest prefix with routes that a number starts with, or NO_NODE.
 * The number is canonical E.164, `+` and digits.
 */
export function longestPrefix(table: RouteTable, number: string): number {
  const { slots } = table;
  let node = ROOT;
  let shape = slots[1]!;
  let found = shape >>> ROUTES_SHIFT === 0 ? NO_NODE : ROOT;
  for (let place = 1; place < number.length; place++) {
    const digit = 1 << (number.charCodeAt(place) - 0x30);
    if ((shape & DIGITS & digit) === 0) break;
    node = slots[node * 4]! + ONES[shape & (digit - 1) & DIGITS]!;
    shape = slots[node * 4 + 1]!;
    if (shape >>> ROUTES_SHIFT !== 0) found = node;
  }
  return found;
}

/** The node of the next shorter prefix with routes, or NO_NODE. */
export function shorterPrefix(table: RouteTable, node: number): number {
  return table.slots[node * 4 + 3]!;
}

/** The number of digits of a node's prefix. */
export function digitsOf(table: RouteTable, node: number): number {
  return (table.slots[node * 4 + 1]! >>> DIGIT_BITS) & 0xf;
}

export function firstRouteOf(table: RouteTable, node: number): number {
  return table.slots[node * 4 + 2]!;
}

export function routeCountOf(table: RouteTable, node: number): number {
  return table.slots[node * 4 + 1]! >>> ROUTES_SHIFT;
}

/** The place of a route's carrier in its index. */
export function carrierOf(table: RouteTable, route: number): number {
  return table.slots[route * 4]! >>> CURRENCY_BITS;
}

export function carrierPriorityOf(table: RouteTable, route: number): number {
  return table.carrierPriorities[carrierOf(table, route)]!;
}

export function routePriorityOf(table: RouteTable, route: number): number {
  return table.slots[route * 4 + 1]!;
}

export function currencyOf(table: RouteTable, route: number): string {
  return table.currencies[table.slots[route * 4]! & (MAX_CURRENCIES - 1)]!;
}

/** The rate per minute; NaN when the route has none. */
export function rateOf(table: RouteTable, route: number): number {
  return table.doubles[route * 2 + 1]!;
}
