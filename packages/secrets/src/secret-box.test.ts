import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { createSecretBox, parseEncryptionKeys } from './secret-box.js';

const first = randomBytes(32);
const second = randomBytes(32);
const box = createSecretBox(new Map([['first', first]]));

test('what was sealed opens to the same text', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme' }),
      (text) => box.open(box.seal(text, 'carrier:1'), 'carrier:1') === text,
    ),
  );
});

test('two sealings of one text differ and never contain it', () => {
  expect(box.seal('s3cret', 'x')).not.toBe(box.seal('s3cret', 'x'));
  expect(box.seal('s3cret', 'x')).not.toContain('s3cret');
});

test('a value sealed for one record does not open for another', () => {
  const sealed = box.seal('s3cret', 'carrier:1');
  expect(() => box.open(sealed, 'carrier:2')).toThrow();
});

test('an altered value does not open', () => {
  const sealed = box.seal('s3cret', 'x');
  const altered = sealed.slice(0, -3) + (sealed.endsWith('AAA') ? 'BBB' : 'AAA');
  expect(() => box.open(altered, 'x')).toThrow();
});

test('after a rotation old values still open and are known to need resealing', () => {
  const rotated = createSecretBox(
    new Map([
      ['second', second],
      ['first', first],
    ]),
  );
  const old = box.seal('s3cret', 'x');
  expect(rotated.open(old, 'x')).toBe('s3cret');
  expect(rotated.needsResealing(old)).toBe(true);
  expect(rotated.needsResealing(rotated.seal('s3cret', 'x'))).toBe(false);
  expect(() => box.open(rotated.seal('s3cret', 'x'), 'x')).toThrow(/second/);
});

test.each([
  '',
  'k1',
  'k1:short',
  `k 1:${first.toString('base64')}`,
  `a:${first.toString('base64')},a:${second.toString('base64')}`,
])('refuses the key list %p', (text) => {
  expect(() => parseEncryptionKeys(text)).toThrow(/ENCRYPTION_KEYS/);
});

test('reads several keys, the first being the active one', () => {
  const keys = parseEncryptionKeys(`b:${second.toString('base64')}, a:${first.toString('base64')}`);
  expect([...keys.keys()]).toEqual(['b', 'a']);
});
