import { createCursors } from './cursors.js';
import { decideRoute } from './decide-route.js';
import { explainRoute } from './explain-route.js';
import { buildRouteIndex, type RouteIndex } from './route-index.js';
import type { RoutingCarrier } from './routing-carrier.js';
import type { RoutingRoute } from './routing-route.js';
import type { RouteRequest } from './select-in-tier.js';

type Trunk = Partial<RoutingCarrier> & { id: string; routes: Partial<RoutingRoute>[] };

function index(...trunks: Trunk[]): RouteIndex {
  const carriers = trunks.map(({ routes: _, ...carrier }) => ({
    status: 'active' as const,
    healthStatus: 'unknown' as const,
    carrierType: 'outbound' as const,
    priority: 100,
    weight: 1,
    maxChannels: 10,
    ...carrier,
  }));
  const routes = trunks.flatMap((trunk) =>
    trunk.routes.map((route, i) => ({
      id: `${trunk.id}-${i}`,
      carrierId: trunk.id,
      prefix: '+',
      priority: 100,
      rate: null,
      rateCurrency: 'USD',
      ...route,
    })),
  );
  return buildRouteIndex(carriers, routes);
}

function explain(own: RouteIndex | undefined, request: Partial<RouteRequest> = {}) {
  return explainRoute({
    own,
    defaults: undefined,
    to: '+14155550100',
    currency: 'USD',
    cursors: createCursors(),
    ...request,
  });
}

function order(own: RouteIndex | undefined, request: Partial<RouteRequest> = {}): string[] {
  return explain(own, request).failover.map(({ carrierId }) => carrierId);
}

function reasons(own: RouteIndex | undefined, request: Partial<RouteRequest> = {}): Record<string, string> {
  return Object.fromEntries(explain(own, request).candidates.map((one) => [one.routeId, one.reason]));
}

describe('the order of the tiers', () => {
  test('a longer prefix wins over a shorter one, whatever the priorities', () => {
    const own = index(
      { id: 'short', priority: 900, routes: [{ prefix: '+1', priority: 900 }] },
      { id: 'long', priority: 1, routes: [{ prefix: '+1415', priority: 1 }] },
    );
    expect(order(own)).toEqual(['long', 'short']);
    expect(reasons(own)).toEqual({ 'long-0': 'only_candidate', 'short-0': 'shorter_prefix' });
  });

  test('a bare plus sign matches every number, last', () => {
    const own = index({ id: 'any', routes: [{ prefix: '+' }] }, { id: 'us', routes: [{ prefix: '+1' }] });
    expect(order(own)).toEqual(['us', 'any']);
    expect(order(own, { to: '+4930123456' })).toEqual(['any']);
  });

  test('a route of all fifteen digits matches its one number', () => {
    const own = index({ id: 'one', routes: [{ prefix: '+123456789012345' }] });
    expect(order(own, { to: '+123456789012345' })).toEqual(['one']);
    expect(order(own, { to: '+123456789012346' })).toEqual([]);
    expect(order(own, { to: '+12345678901234' })).toEqual([]);
  });

  test('carrier priority goes before route priority, and both descend', () => {
    const own = index(
      { id: 'a', priority: 100, routes: [{ priority: 900 }] },
      { id: 'b', priority: 200, routes: [{ priority: 1 }] },
      { id: 'c', priority: 200, routes: [{ priority: 2 }] },
    );
    expect(order(own)).toEqual(['c', 'b', 'a']);
    expect(reasons(own)).toEqual({
      'c-0': 'only_candidate',
      'b-0': 'lower_priority',
      'a-0': 'lower_priority',
    });
  });

  test('own and default carriers of one prefix length compete as equals', () => {
    const own = index({ id: 'own', routes: [{ prefix: '+1', rate: 0.02 }] });
    const defaults = index(
      { id: 'cheap', routes: [{ prefix: '+1', rate: 0.01 }] },
      { id: 'precise', priority: 1, routes: [{ prefix: '+14' }] },
    );
    expect(order(own, { defaults })).toEqual(['precise', 'cheap', 'own']);
    expect(order(undefined, { defaults })).toEqual(['precise', 'cheap']);
    expect(explain(own, { defaults }).selected).toMatchObject({ source: 'default', prefix: '+14' });
  });

  test('a carrier appears once, at its best place', () => {
    const own = index({ id: 'a', routes: [{ prefix: '+1' }, { prefix: '+141' }] }, { id: 'b', routes: [{}] });
    expect(order(own)).toEqual(['a', 'b']);
    expect(reasons(own)).toEqual({ 'a-1': 'only_candidate', 'a-0': 'duplicate', 'b-0': 'shorter_prefix' });
  });

  test('a carrier without a route matches nothing', () => {
    expect(explain(index({ id: 'a', routes: [] })).candidates).toEqual([]);
    expect(explain(undefined)).toEqual({ selected: undefined, failover: [], candidates: [] });
  });
});

describe('which carriers are skipped', () => {
  test.each<[string, Partial<RoutingCarrier>]>([
    ['carrier_disabled', { status: 'disabled' }],
    ['unhealthy', { healthStatus: 'unhealthy' }],
    ['inbound_only', { carrierType: 'inbound' }],
    ['full', { maxChannels: 0 }],
  ])('%s', (reason, state) => {
    const own = index({ id: 'a', priority: 900, ...state, routes: [{}] }, { id: 'b', routes: [{}] });
    expect(order(own)).toEqual(['b']);
    expect(reasons(own)).toEqual({ 'a-0': reason, 'b-0': 'only_candidate' });
  });

  test.each<Partial<RoutingCarrier>>([
    { healthStatus: 'unknown' },
    { healthStatus: 'healthy' },
    { healthStatus: 'degraded' },
    { carrierType: 'bidirectional' },
  ])('%p is routable', (state) => {
    expect(order(index({ id: 'a', ...state, routes: [{}] }))).toEqual(['a']);
  });

  test('a full carrier falls through to the next one', () => {
    const own = index({ id: 'a', priority: 900, routes: [{}] }, { id: 'b', routes: [{}] });
    expect(order(own)).toEqual(['a', 'b']);
    expect(order(own, { isFull: (id) => id === 'a' })).toEqual(['b']);
    expect(reasons(own, { isFull: (id) => id === 'a' })).toMatchObject({ 'a-0': 'full' });
  });

  test('a carrier that was tried for this call is not tried again', () => {
    const own = index({ id: 'a', priority: 900, routes: [{}] }, { id: 'b', routes: [{}] });
    expect(reasons(own, { exclude: new Set(['a']) })).toEqual({
      'a-0': 'already_tried',
      'b-0': 'only_candidate',
    });
  });

  test('none survives: nothing is selected, and every candidate says why', () => {
    const own = index({ id: 'a', status: 'disabled', routes: [{}] }, { id: 'b', routes: [{}] });
    const request = { isFull: () => true };
    expect(explain(own, request).selected).toBeUndefined();
    expect(reasons(own, request)).toEqual({ 'a-0': 'carrier_disabled', 'b-0': 'full' });
    expect(
      decideRoute({
        own,
        defaults: undefined,
        to: '+14155550100',
        currency: 'USD',
        cursors: createCursors(),
        ...request,
      }),
    ).toBeUndefined();
  });
});

describe('within a tier', () => {
  test('different weights: the heaviest begins the round-robin, and rates do not matter', () => {
    const own = index(
      { id: 'a', weight: 1, routes: [{ rate: 0.001 }] },
      { id: 'b', weight: 3, routes: [{ rate: 0.9 }] },
      { id: 'c', weight: 2, routes: [{ rate: 0.5 }] },
    );
    expect(order(own)).toEqual(['b', 'c', 'a']);
    expect(Object.values(reasons(own))).toEqual(['round_robin', 'round_robin', 'round_robin']);
  });

  test('equal weights: the lowest rate first; another currency after the account’s, by code; no rate last', () => {
    const own = index(
      { id: 'a', routes: [{ rate: null }] },
      { id: 'b', routes: [{ rate: 0.001, rateCurrency: 'GBP' }] },
      { id: 'c', routes: [{ rate: 0.5, rateCurrency: 'EUR' }] },
      { id: 'd', routes: [{ rate: 0.02 }] },
      { id: 'e', routes: [{ rate: 0.01 }] },
    );
    expect(order(own)).toEqual(['e', 'd', 'c', 'b', 'a']);
    expect(order(own, { currency: 'GBP' })).toEqual(['b', 'c', 'e', 'd', 'a']);
    expect(reasons(own)).toMatchObject({ 'e-0': 'least_cost', 'd-0': 'higher_rate', 'a-0': 'higher_rate' });
  });

  test('a rate of 0 is the lowest rate, not a missing one', () => {
    const own = index({ id: 'a', routes: [{ rate: 0.01 }] }, { id: 'b', routes: [{ rate: 0 }] });
    expect(order(own)).toEqual(['b', 'a']);
    expect(explain(own).selected).toMatchObject({ rate: 0, reason: 'least_cost' });
  });

  test('weights are compared among the carriers that remain, not among all', () => {
    const own = index(
      { id: 'a', weight: 5, status: 'disabled', routes: [{}] },
      { id: 'b', routes: [{ rate: 0.02 }] },
      { id: 'c', routes: [{ rate: 0.01 }] },
    );
    expect(order(own)).toEqual(['c', 'b']);
    expect(reasons(own)).toEqual({ 'c-0': 'least_cost', 'b-0': 'higher_rate', 'a-0': 'carrier_disabled' });
  });

  test('equal rates share the turn, ahead of the dearer ones', () => {
    const own = index(
      { id: 'a', routes: [{ rate: 0.02 }] },
      { id: 'b', routes: [{ rate: 0.01 }] },
      { id: 'c', routes: [{ rate: 0.01 }] },
    );
    expect(order(own)).toEqual(['b', 'c', 'a']);
    expect(reasons(own)).toEqual({ 'b-0': 'rotation', 'c-0': 'rotation', 'a-0': 'higher_rate' });
  });
});

test('a candidate carries its whole route', () => {
  const own = index({
    id: 'a',
    weight: 3,
    routes: [{ prefix: '+1415', priority: 7, rate: 0.01, rateCurrency: 'EUR' }],
  });
  expect(explain(own).candidates).toEqual([
    {
      carrierId: 'a',
      routeId: 'a-0',
      source: 'own',
      prefix: '+1415',
      priority: 100,
      routePriority: 7,
      weight: 3,
      rate: 0.01,
      rateCurrency: 'EUR',
      decision: 'selected',
      reason: 'only_candidate',
    },
  ]);
});
