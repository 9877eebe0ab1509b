import fc from 'fast-check';
import { CARRIER_CODE, freeCode, MAX_CODE_LENGTH, slugOf, stemOf } from './carrier-code.js';

test.each([
  ['Acme SIP', 'acme-sip'],
  ['  Télécom & Søn (EU) ', 'telecom-s-n-eu'],
  ['ＦＵＬＬ Width ℡', 'full-width-tel'],
  ['İstanbul', 'istanbul'],
  ['a--b__c', 'a-b-c'],
  ['電話', 'carrier'],
  ['!!!', 'carrier'],
  [`${'x'.repeat(63)} y`, 'x'.repeat(63)],
])('%p becomes %p', (name, code) => {
  expect(slugOf(name)).toBe(code);
});

test('numbers begin at 2, fill gaps and shorten what has no room for them', () => {
  expect(freeCode('acme', new Set())).toBe('acme');
  expect(freeCode('acme', new Set(['acme', 'acme-3']))).toBe('acme-2');
  expect(freeCode('acme', new Set(['acme', 'acme-2', 'acme-3']))).toBe('acme-4');
  expect(freeCode('x'.repeat(64), new Set(['x'.repeat(64)]))).toBe(`${'x'.repeat(53)}-2`);
});

test('every name gives a well-formed code, and so does every number of it', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), fc.nat({ max: 5 }), (name, carriers) => {
      const taken = new Set<string>();
      for (let made = 0; made <= carriers; made++) {
        const code = freeCode(slugOf(name), taken);
        expect(code).toMatch(CARRIER_CODE);
        expect(code.length).toBeLessThanOrEqual(MAX_CODE_LENGTH);
        expect(code.startsWith(stemOf(slugOf(name)))).toBe(true);
        taken.add(code);
      }
      expect(taken.size).toBe(carriers + 1);
    }),
  );
});
