import fc from 'fast-check';
import { ownsPath, RouteTable, type Operation } from './route-table.js';

const operation = (method: string, path: string, audience: Operation['audience'] = 'account'): Operation => ({
  service: 'things',
  method,
  path,
  audience,
});

test('a fixed segment wins over a parameter, and only the table of its audience knows an operation', () => {
  const table = new RouteTable(
    [
      operation('get', '/v1/a/:id'),
      operation('get', '/v1/a/special'),
      operation('get', '/operator/v1/a', 'operator'),
    ],
    'account',
  );
  expect(table.match('GET', '/v1/a/special')).toMatchObject({ entry: { path: '/v1/a/special' } });
  expect(table.match('GET', '/v1/a/7')).toMatchObject({ entry: { path: '/v1/a/:id' } });
  expect(table.match('GET', '/operator/v1/a')).toBeUndefined();
});

test('every spelling of the own Auth ID is checked wherever it stands', () => {
  for (const name of ['auth_id', 'accountID', 'account_id']) {
    const table = new RouteTable([operation('get', `/v1/:${name}/things/:id`)], 'account');
    const match = table.match('GET', '/v1/TJ1/things/TJ2');
    if (!match || !('entry' in match)) throw new Error('no match');
    expect(ownsPath(match.entry, match.segments, 'TJ1')).toBe(true);
    expect(ownsPath(match.entry, match.segments, 'TJ2')).toBe(false);
  }
});

test('the table finds what a plain comparison of segments finds', () => {
  const segment = fc.constantFrom('a', 'b', ':x', ':y');
  const paths = fc.uniqueArray(
    fc.array(segment, { minLength: 1, maxLength: 4 }).map((parts) => `/${parts.join('/')}`),
    { minLength: 1, maxLength: 8, selector: (path) => path.replaceAll(':y', ':x') },
  );
  const asked = fc
    .array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 4 })
    .map((parts) => `/${parts.join('/')}`);
  fc.assert(
    fc.property(paths, asked, (patterns, path) => {
      const match = new RouteTable(
        patterns.map((pattern) => operation('get', pattern)),
        'account',
      ).match('GET', path);
      const fits = (pattern: string) => {
        const [want, have] = [pattern.split('/'), path.split('/')];
        return (
          want.length === have.length && want.every((part, i) => part.startsWith(':') || part === have[i])
        );
      };
      if (match && 'entry' in match) expect(fits(match.entry.path)).toBe(true);
      // A fixed segment is never given up again for a parameter, so a match may be missed only behind one.
      else if (patterns.some((pattern) => fits(pattern) && !pattern.includes(':'))) throw new Error('missed');
    }),
  );
});
