import fc from 'fast-check';
import { advance, createCursors } from './cursors.js';
import { decideRoute, selectedRoute } from './decide-route.js';
import { explainRoute } from './explain-route.js';
import { buildRouteIndex, withCarrierState } from './route-index.js';
import type { RoutingCarrier } from './routing-carrier.js';
import type { RoutingRoute } from './routing-route.js';

/**
 * The decision against a naive oracle written from the five steps of the specification ("Routing of an outbound call
 * to a carrier") and decisions 3, over random owners, calls, and changes between the calls.
 */

interface Owner {
  carriers: RoutingCarrier[];
  routes: RoutingRoute[];
}

interface Call {
  to: string;
  full: string[];
  tried: string[];
}

interface Match {
  own: boolean;
  carrier: RoutingCarrier;
  route: RoutingRoute;
}

/** nginx's current weights, by scope (an account or the platform) and route. */
type Currents = Map<string, Map<string, number>>;

const byNumber = (a: number, b: number): number => a - b;
const tierOf = ({ carrier, route }: Match): string => `${route.prefix} ${carrier.priority} ${route.priority}`;

function matchesInOrder(own: Owner, defaults: Owner, to: string): Match[] {
  const of = (owner: Owner, isOwn: boolean): Match[] =>
    owner.routes
      .map((route) => ({
        own: isOwn,
        carrier: owner.carriers.find(({ id }) => id === route.carrierId)!,
        route,
      }))
      .filter(({ route }) => to.startsWith(route.prefix));
  return [...of(own, true), ...of(defaults, false)].sort(
    (a, b) =>
      byNumber(b.route.prefix.length, a.route.prefix.length) ||
      byNumber(b.carrier.priority, a.carrier.priority) ||
      byNumber(b.route.priority, a.route.priority) ||
      byNumber(Number(b.own), Number(a.own)) ||
      (a.carrier.id < b.carrier.id ? -1 : 1),
  );
}

function skipped({ carrier }: Match, call: Call): string | undefined {
  if (carrier.status === 'disabled') return 'carrier_disabled';
  if (carrier.carrierType === 'inbound') return 'inbound_only';
  if (carrier.healthStatus === 'unhealthy') return 'unhealthy';
  if (call.tried.includes(carrier.id)) return 'already_tried';
  if (carrier.maxChannels === 0 || call.full.includes(carrier.id)) return 'full';
  return undefined;
}

/** Rates as text that sorts: the account's currency, then the others by code, then none. */
function cost({ route }: Match, currency: string): string {
  if (route.rate === null) return '3';
  return `${route.rateCurrency === currency ? '1' : `2 ${route.rateCurrency}`} ${route.rate.toFixed(3)}`;
}

function draw(tier: Match[], currency: string, current: Map<string, number>) {
  const turn = (drawn: Match[]): Match => {
    const now = (match: Match): number => (current.get(match.route.id) ?? 0) + match.carrier.weight;
    return drawn.filter((match) => now(match) === Math.max(...drawn.map(now)))[0]!;
  };
  if (tier.length === 1) return { drawn: tier, taken: tier[0]!, rule: 'only_candidate' };
  if (new Set(tier.map(({ carrier }) => carrier.weight)).size > 1) {
    return { drawn: tier, taken: turn(tier), rule: 'round_robin' };
  }
  const lowest = tier.map((match) => cost(match, currency)).sort()[0];
  const drawn = tier.filter((match) => cost(match, currency) === lowest);
  return { drawn, taken: turn(drawn), rule: drawn.length === 1 ? 'least_cost' : 'rotation' };
}

function oracle(
  own: Owner,
  defaults: Owner,
  call: Call,
  account: string,
  currency: string,
  currents: Currents,
) {
  const listed = new Map<string, Match>();
  const candidates: { route: string; decision: string; reason: string }[] = [];
  let first: { match: Match; rule: string; drawn: Match[]; current: Map<string, number> } | undefined;
  const matches = matchesInOrder(own, defaults, call.to);
  for (const key of new Set(matches.map(tierOf))) {
    const tier = matches.filter((match) => tierOf(match) === key);
    const scope = tier.some((match) => match.own) ? account : 'platform';
    const reasons = new Map(
      tier.map((match) => [match, listed.has(match.carrier.id) ? 'duplicate' : skipped(match, call)]),
    );
    let remaining = tier.filter((match) => reasons.get(match) === undefined);
    while (remaining.length > 0) {
      if (!currents.has(scope)) currents.set(scope, new Map());
      const { drawn, taken, rule } = draw(remaining, currency, currents.get(scope)!);
      let reason = rule;
      if (first !== undefined) {
        if (taken.route.prefix !== first.match.route.prefix) reason = 'shorter_prefix';
        else if (tierOf(taken) !== tierOf(first.match)) reason = 'lower_priority';
        else if (first.rule === 'round_robin') reason = 'round_robin';
        else reason = cost(taken, currency) === cost(first.match, currency) ? 'rotation' : 'higher_rate';
      }
      candidates.push({ route: taken.route.id, decision: first ? 'failover' : 'selected', reason });
      first ??= { match: taken, rule, drawn, current: currents.get(scope)! };
      listed.set(taken.carrier.id, taken);
      remaining = remaining.filter((match) => match !== taken);
    }
    for (const [match, reason] of reasons) {
      if (reason !== undefined) candidates.push({ route: match.route.id, decision: 'skipped', reason });
    }
  }
  const advanceOracle = (): void => {
    if (first === undefined) return;
    const { match, drawn, current } = first;
    for (const { route, carrier } of drawn)
      current.set(route.id, (current.get(route.id) ?? 0) + carrier.weight);
    const total = drawn.reduce((sum, { carrier }) => sum + carrier.weight, 0);
    current.set(match.route.id, current.get(match.route.id)! - total);
  };
  return { candidates, selected: first?.match, advanceOracle };
}

/** Mostly `usual`, so that tiers keep several routable carriers. */
const mostly = <T>(usual: fc.Arbitrary<T>, other: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  fc.oneof({ weight: 9, arbitrary: usual }, { weight: 1, arbitrary: other });

type State = Omit<RoutingCarrier, 'id' | 'priority' | 'weight'>;
const state: { [Key in keyof State]: fc.Arbitrary<State[Key]> } = {
  status: mostly<State['status']>(fc.constant('active'), fc.constant('disabled')),
  healthStatus: mostly<State['healthStatus']>(
    fc.constantFrom('unknown', 'healthy', 'degraded'),
    fc.constant('unhealthy'),
  ),
  carrierType: mostly<State['carrierType']>(
    fc.constantFrom('outbound', 'bidirectional'),
    fc.constant('inbound'),
  ),
  maxChannels: mostly(fc.constant(10), fc.constant(0)),
};
const digits = (min: number, max: number) =>
  fc.array(fc.constantFrom('1', '2'), { minLength: min, maxLength: max }).map((text) => `+${text.join('')}`);

const owner = (name: string): fc.Arbitrary<Owner> =>
  fc
    .uniqueArray(fc.nat({ max: 9 }), { minLength: 2, maxLength: 8, size: 'max' })
    .chain((numbers) => {
      const ids = numbers.map((number) => `${name}-carrier-${number}`);
      return fc.record({
        carriers: fc.tuple(
          ...ids.map((id) =>
            fc.record({
              id: fc.constant(id),
              ...state,
              priority: mostly(fc.constant(100), fc.constantFrom(50, 200)),
              weight: mostly(fc.constant(1), fc.constantFrom(2, 5)),
            }),
          ),
        ),
        routes: fc.uniqueArray(
          fc.record({
            carrierId: fc.constantFrom(...ids),
            prefix: mostly(digits(0, 1), digits(2, 3)),
            priority: mostly(fc.constant(100), fc.constantFrom(50, 200)),
            rate: fc.constantFrom(null, 0, 0.01, 0.01, 0.01, 0.02),
            rateCurrency: fc.constantFrom('USD', 'USD', 'EUR', 'GBP'),
          }),
          { maxLength: 24, size: 'max', selector: ({ carrierId, prefix }) => `${carrierId} ${prefix}` },
        ),
      });
    })
    .map(({ carriers, routes }) => ({
      carriers,
      routes: routes.map((route, i) => ({ id: `${name}-route-${i}`, ...route })),
    }));

const OWNERS = ['ann', 'bob', 'platform'];
const anyCarrier = fc
  .tuple(fc.constantFrom(...OWNERS), fc.nat({ max: 9 }))
  .map(([name, number]) => `${name}-carrier-${number}`);
const step = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('call' as const),
      account: fc.constantFrom('ann', 'ann', 'bob'),
      to: digits(4, 5),
      full: fc.array(anyCarrier, { maxLength: 3 }),
      tried: fc.array(anyCarrier, { maxLength: 2 }),
      reserved: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('state' as const),
      id: anyCarrier,
      change: fc.record(state, { requiredKeys: [] }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('rebuild' as const), name: fc.constantFrom(...OWNERS) }),
  },
);

test('the decision, its order and every reason are those of the specification, whatever happened before', () => {
  const currencies: Record<string, string> = { ann: 'USD', bob: 'EUR' };
  const seen = new Map<string, number>();
  fc.assert(
    fc.property(
      fc.record({ ann: owner('ann'), bob: owner('bob'), platform: owner('platform') }),
      fc.array(step, { minLength: 1, maxLength: 40, size: 'max' }),
      (start, steps) => {
        const owners: Record<string, Owner> = start;
        const indexes = Object.fromEntries(
          OWNERS.map((name) => [name, buildRouteIndex(owners[name]!.carriers, owners[name]!.routes)]),
        );
        const cursors = createCursors();
        const currents: Currents = new Map();
        for (const next of steps) {
          if (next.kind === 'state') {
            const name = next.id.split('-')[0]!;
            const { carriers, routes } = owners[name]!;
            const changed = carriers.map((carrier) =>
              carrier.id === next.id ? { ...carrier, ...next.change } : carrier,
            );
            owners[name] = { carriers: changed, routes };
            indexes[name] = withCarrierState(indexes[name]!, [{ id: next.id, ...next.change }]);
          } else if (next.kind === 'rebuild') {
            indexes[next.name] = buildRouteIndex(owners[next.name]!.carriers, owners[next.name]!.routes);
            currents.delete(next.name);
            for (const current of currents.values()) {
              for (const route of current.keys()) if (route.startsWith(next.name)) current.delete(route);
            }
          } else {
            const currency = currencies[next.account]!;
            const request = {
              own: indexes[next.account],
              defaults: indexes['platform'],
              to: next.to,
              currency,
              cursors,
              isFull: (id: string) => next.full.includes(id),
              exclude: new Set(next.tried),
            };
            const expected = oracle(
              owners[next.account]!,
              owners['platform']!,
              next,
              next.account,
              currency,
              currents,
            );
            const explained = explainRoute(request);
            const decision = decideRoute(request);
            const shown = ({ routeId: route, decision, reason }: (typeof explained.candidates)[number]) => ({
              route,
              decision,
              reason,
            });
            expect(explained.candidates.map(shown)).toEqual(expected.candidates);
            expect(explained.failover).toEqual(
              explained.candidates.filter((one) => one.decision !== 'skipped'),
            );
            expect(explained.selected).toEqual(explained.failover[0]);
            expect(decision?.carrierId).toBe(expected.selected?.carrier.id);
            if (decision !== undefined) expect(selectedRoute(request, decision)).toEqual(explained.selected);
            for (const { reason } of explained.candidates) seen.set(reason, (seen.get(reason) ?? 0) + 1);
            if (next.reserved && decision !== undefined) {
              advance(cursors, decision);
              expected.advanceOracle();
            }
          }
        }
      },
    ),
    { numRuns: 400 },
  );
  // The generator reaches every reason there is.
  expect([...seen.keys()].sort()).toEqual([
    'already_tried',
    'carrier_disabled',
    'duplicate',
    'full',
    'higher_rate',
    'inbound_only',
    'least_cost',
    'lower_priority',
    'only_candidate',
    'rotation',
    'round_robin',
    'shorter_prefix',
    'unhealthy',
  ]);
});

test('asking again with the tried carriers excluded follows the failover list', () => {
  fc.assert(
    fc.property(
      owner('ann'),
      owner('platform'),
      digits(4, 5),
      fc.array(digits(4, 5)),
      (ann, platform, to, earlier) => {
        const request = {
          own: buildRouteIndex(ann.carriers, ann.routes),
          defaults: buildRouteIndex(platform.carriers, platform.routes),
          currency: 'USD',
          cursors: createCursors(),
        };
        for (const number of earlier) {
          const decision = decideRoute({ ...request, to: number });
          if (decision !== undefined) advance(request.cursors, decision);
        }
        const tried: string[] = [];
        for (let decision = decideRoute({ ...request, to }); decision !== undefined;) {
          tried.push(decision.carrierId);
          decision = decideRoute({ ...request, to, exclude: new Set(tried) });
        }
        expect(tried).toEqual(explainRoute({ ...request, to }).failover.map(({ carrierId }) => carrierId));
      },
    ),
  );
});
