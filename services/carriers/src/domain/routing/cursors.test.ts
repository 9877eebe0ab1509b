import fc from 'fast-check';
import { advance, createCursors, retreat, type Cursors } from './cursors.js';
import { decideRoute } from './decide-route.js';
import { explainRoute } from './explain-route.js';
import { buildRouteIndex, withCarrierState, type RouteIndex } from './route-index.js';

const to = '+14155550100';

function owner(weights: Record<string, number>): RouteIndex {
  const carriers = Object.entries(weights).map(([id, weight]) => ({
    id,
    status: 'active' as const,
    healthStatus: 'healthy' as const,
    carrierType: 'outbound' as const,
    priority: 100,
    weight,
    maxChannels: 10,
  }));
  const routes = carriers.map(({ id }) => ({
    id: `route-${id}`,
    carrierId: id,
    prefix: '+1',
    priority: 100,
    rate: 0.01,
    rateCurrency: 'USD',
  }));
  return buildRouteIndex(carriers, routes);
}

function calls(count: number, cursors: Cursors, own: RouteIndex | undefined, defaults?: RouteIndex): string {
  return Array.from({ length: count }, () => {
    const decision = decideRoute({ own, defaults, to, currency: 'USD', cursors })!;
    advance(cursors, decision);
    return decision.carrierId;
  }).join('');
}

test('weights 5, 1, 1 interleave as in nginx', () => {
  expect(calls(14, createCursors(), owner({ a: 5, b: 1, c: 1 }))).toBe('aabacaaaabacaa');
});

test('over every window of the total weight each carrier gets exactly its weight', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 2, maxLength: 6 }),
      fc.integer({ min: 0, max: 50 }),
      (weights, offset) => {
        const named = Object.fromEntries(weights.map((weight, i) => ['abcdef'[i]!, weight]));
        const total = weights.reduce((sum, weight) => sum + weight, 0);
        const window = calls(offset + total, createCursors(), owner(named)).slice(offset);
        for (const [id, weight] of Object.entries(named)) expect(window.split(id).length - 1).toBe(weight);
      },
    ),
  );
});

test('a turn given back leaves no trace', () => {
  const own = owner({ a: 5, b: 3, c: 1 });
  const [straight, detour] = [createCursors(), createCursors()];
  const expected = calls(18, straight, own);
  let got = '';
  for (let i = 0; i < 18; i++) {
    const refused = decideRoute({ own, defaults: undefined, to, currency: 'USD', cursors: detour })!;
    advance(detour, refused);
    retreat(detour, refused);
    got += calls(1, detour, own);
  }
  expect(got).toBe(expected);
});

test('equal weights and rates rotate', () => {
  expect(calls(9, createCursors(), owner({ a: 2, b: 2, c: 2 }))).toBe('abcabcabc');
});

test('own and default carriers of one tier share the turns by weight', () => {
  expect(calls(6, createCursors(), owner({ a: 2 }), owner({ d: 1 }))).toBe('adaada');
});

test('an unhealthy carrier neither gains nor loses turns, and goes on where it stood', () => {
  const cursors = createCursors();
  const own = owner({ a: 5, b: 1, c: 1 });
  expect(calls(2, cursors, own)).toBe('aa');
  expect(calls(4, cursors, withCarrierState(own, [{ id: 'a', healthStatus: 'unhealthy' }]))).toBe('bcbc');
  expect(calls(5, cursors, own)).toBe('bacaa');
});

test('a tier of default carriers takes turns for all accounts together, one with own carriers for its account', () => {
  const cursors = createCursors();
  const defaults = owner({ d: 1, e: 1 });
  expect(calls(1, cursors, undefined, defaults) + calls(1, cursors, undefined, defaults)).toBe('de');
  const [ann, bob] = [owner({ a: 1 }), owner({ b: 1 })];
  expect(calls(2, cursors, ann, defaults)).toBe('ad');
  expect(calls(3, cursors, bob, defaults)).toBe('bde');
  expect(calls(1, cursors, ann, defaults)).toBe('e');
});

test('a rebuilt index starts its turns anew', () => {
  const cursors = createCursors();
  expect(calls(1, cursors, owner({ a: 1, b: 1 }))).toBe('a');
  expect(calls(1, cursors, owner({ a: 1, b: 1 }))).toBe('a');
});

test('deciding and explaining change neither the cursors nor the index, however often', () => {
  const cursors = createCursors();
  const [own, defaults] = [owner({ a: 3, b: 1 }), owner({ d: 2 })];
  calls(3, cursors, own, defaults);
  const state = () => structuredClone([own, defaults, cursors.byTable.get(own.table)?.current]);
  const before = state();
  const next = decideRoute({ own, defaults, to, currency: 'USD', cursors });
  for (let i = 0; i < 10; i++) {
    explainRoute({ own, defaults, to, currency: 'USD', cursors });
    expect(decideRoute({ own, defaults, to, currency: 'USD', cursors })).toEqual(next);
  }
  expect(state()).toEqual(before);
  expect(cursors.byTable.has(defaults.table)).toBe(false);
});

test('a call with one carrier to choose from moves no cursor', () => {
  const cursors = createCursors();
  const own = owner({ a: 3 });
  calls(5, cursors, own);
  expect(cursors.byTable.has(own.table)).toBe(false);
});
