import fc from 'fast-check';
import { isE164, normaliseE164 } from './e164.js';

test.each([
  ['+14155550100', '+14155550100'],
  ['+1 (415) 555-0100', '+14155550100'],
  ['0044 20 7946 0000', '+442079460000'],
  ['tel:+49.30.123456', '+4930123456'],
])('%s is dialled as %s', (typed, canonical) => {
  expect(normaliseE164(typed)).toBe(canonical);
});

test.each([
  '',
  '+',
  '4155550100',
  '+04155550100',
  '+1234',
  '+1234567890123456',
  '+1415555O100',
  '+١٢٣٤٥٦٧٨',
  'sip:+14155550100',
])('%p is not a telephone number', (typed) => {
  expect(normaliseE164(typed)).toBeUndefined();
});

test('normalising is idempotent and always gives a canonical number', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^(\+|00)?[0-9 ().-]{0,20}$/), (typed) => {
      const once = normaliseE164(typed);
      if (once === undefined) return;
      expect(isE164(once)).toBe(true);
      expect(normaliseE164(once)).toBe(once);
    }),
  );
});
