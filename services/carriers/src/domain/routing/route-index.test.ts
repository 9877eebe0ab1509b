import fc from 'fast-check';
import { buildRouteIndex, withCarrierState } from './route-index.js';
import { digitsOf, longestPrefix, NO_NODE, shorterPrefix } from './route-table.js';
import type { RoutingCarrier } from './routing-carrier.js';

const carrier: RoutingCarrier = {
  id: 'a',
  status: 'active',
  healthStatus: 'healthy',
  carrierType: 'outbound',
  priority: 100,
  weight: 1,
  maxChannels: 10,
};

const route = (prefix: string, carrierId = 'a') => ({
  id: `${carrierId} ${prefix}`,
  carrierId,
  prefix,
  priority: 100,
  rate: null,
  rateCurrency: 'USD',
});

test('a number finds its prefixes, longest first', () => {
  const digits = (max: number) =>
    fc
      .array(fc.constantFrom('0', '1', '9'), { maxLength: max, size: 'max' })
      .map((text) => `+${text.join('')}`);
  fc.assert(
    fc.property(
      fc.uniqueArray(digits(15), { maxLength: 200, size: 'max' }),
      digits(15),
      (prefixes, number) => {
        const { table } = buildRouteIndex(
          [carrier],
          [...prefixes, number.slice(0, 5)]
            .filter((one, i, all) => all.indexOf(one) === i)
            .map((one) => route(one)),
        );
        const found: string[] = [];
        for (let node = longestPrefix(table, number); node !== NO_NODE; node = shorterPrefix(table, node)) {
          found.push(number.slice(0, digitsOf(table, node) + 1));
        }
        const expected = new Set(
          [...prefixes, number.slice(0, 5)].filter((prefix) => number.startsWith(prefix)),
        );
        expect(found).toEqual([...expected].sort((a, b) => b.length - a.length));
      },
    ),
  );
});

test('no routes: nothing is found', () => {
  expect(longestPrefix(buildRouteIndex([carrier], []).table, '+14155550100')).toBe(NO_NODE);
});

test.each(['', '1', '+1a', '+ 1', '+1234567890123456', '++1'])('%p is not a prefix', (prefix) => {
  expect(() => buildRouteIndex([carrier], [route(prefix)])).toThrow(RangeError);
});

test('a carrier has one route of a prefix', () => {
  expect(() => buildRouteIndex([carrier], [route('+1'), route('+1')])).toThrow('two routes of one prefix');
});

test('a route of a carrier that is not there is left out', () => {
  expect(longestPrefix(buildRouteIndex([carrier], [route('+1', 'gone')]).table, '+14155550100')).toBe(
    NO_NODE,
  );
});

test('a change of state makes a new index that shares the routes, and leaves the old one as it was', () => {
  const index = buildRouteIndex([carrier], [route('+1')]);
  const before = structuredClone(index);
  const changed = withCarrierState(index, [
    { id: 'a', healthStatus: 'unhealthy' },
    { id: 'gone', status: 'disabled' },
  ]);
  expect(changed.table).toBe(index.table);
  expect(changed.carriers).toEqual([{ ...carrier, healthStatus: 'unhealthy' }]);
  expect(changed.obstacles).toEqual(['unhealthy']);
  expect(index).toEqual(before);
  expect(withCarrierState(changed, [{ id: 'a', healthStatus: 'degraded' }]).obstacles).toEqual([undefined]);
});

test('the order in which carriers and routes are read does not matter', () => {
  const carriers = ['a', 'b', 'c'].map((id) => ({ ...carrier, id }));
  const routes = carriers.flatMap(({ id }) => ['+', '+1', '+14'].map((prefix) => route(prefix, id)));
  expect(buildRouteIndex(carriers.toReversed(), routes.toReversed())).toEqual(
    buildRouteIndex(carriers, routes),
  );
});
