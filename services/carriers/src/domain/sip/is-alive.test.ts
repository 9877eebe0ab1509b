import { isAlive } from './is-alive.js';

test.each([200, 202, 302, 400, 401, 403, 404, 405, 407, 480, 481, 483, 486, 488, 501, 600, 603, 604, 606])(
  '%i is alive',
  (code) => expect(isAlive(code)).toBe(true),
);

test.each([408, 500, 502, 503, 504, 505, 513, 580, 599])('%i is dead', (code) =>
  expect(isAlive(code)).toBe(false),
);

test.each([100, 180, 183, 199, 0, 99, 700, Number.NaN])('%d is no final answer', (code) =>
  expect(isAlive(code)).toBe(false),
);
