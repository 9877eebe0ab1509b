import fc from 'fast-check';
import { answersOptions, parseResponse } from './parse-response.js';

const branch = 'z9hG4bK0123456789abcdef0123456789abcdef';
const answer = [
  'SIP/2.0 200 OK',
  `Via: SIP/2.0/UDP 192.0.2.7:40000;received=198.51.100.1;rport=40000;branch=${branch}`,
  'From: <sip:ping@192.0.2.7>;tag=a',
  'To: <sip:carrier.example>;tag=b',
  'Call-ID: c',
  'CSeq: 1 OPTIONS',
  'Content-Length: 0',
];
const bytes = (lines: readonly string[], lineEnd = '\r\n'): Buffer =>
  Buffer.from(lines.join(lineEnd) + lineEnd + lineEnd);
const withLine = (index: number, line: string): Buffer => bytes(answer.with(index, line));
const parsed = { code: 200, reason: 'OK', branch, method: 'OPTIONS' };

describe('a response is read', () => {
  test.each<[string, Buffer]>([
    ['as RFC 3261 writes it', bytes(answer)],
    ['with LF line ends', bytes(answer, '\n')],
    ['after blank lines', Buffer.concat([Buffer.from('\r\n\r\n'), bytes(answer)])],
    ['with a compact Via', withLine(1, `v: SIP/2.0/UDP h;branch=${branch}`)],
    ['with odd case and spaces', withLine(1, `VIA  :  SIP / 2.0 / UDP h ; Branch = ${branch} ;rport`)],
    ['with a folded Via', withLine(1, `Via: SIP/2.0/UDP h\r\n ;rport\r\n\t;branch=${branch}`)],
    ['with a folded CSeq', withLine(5, 'cseq:\r\n 1\r\n OPTIONS')],
    [
      'with two Vias in a line',
      withLine(1, `Via: SIP/2.0/UDP h;branch=${branch}, SIP/2.0/UDP i;branch=other`),
    ],
    ['with two Via lines', bytes([...answer, 'Via: SIP/2.0/UDP i;branch=other'])],
    ['with a body', Buffer.concat([bytes(answer), Buffer.from('v=0\r\nCSeq: 9 INVITE\r\n')])],
    ['with a line that is no header', bytes([...answer.slice(0, 1), 'nonsense', ...answer.slice(1)])],
  ])('%s', (_how, message) => {
    expect(parseResponse(message)).toEqual(parsed);
  });

  test.each([
    ['SIP/2.0 200', 200, ''],
    ['SIP/2.0 200 ', 200, ''],
    ['sip/2.0 503 Service Unavailable', 503, 'Service Unavailable'],
    ['SIP/2.0 404 Nicht gefunden: Straße', 404, 'Nicht gefunden: Straße'],
    ['SIP/2.0 486 a\u0000b\u0007', 486, 'a b'],
    [`SIP/2.0 603 ${'😀'.repeat(150)}`, 603, '😀'.repeat(100)],
  ])('status line %j', (line, code, reason) => {
    expect(parseResponse(withLine(0, line))).toMatchObject({ code, reason });
  });
});

describe('undefined for', () => {
  test.each<[string, Buffer]>([
    ['nothing', Buffer.alloc(0)],
    ['blank lines', Buffer.from('\r\n\r\n\r\n')],
    ['a request', withLine(0, 'OPTIONS sip:a SIP/2.0')],
    ['HTTP', withLine(0, 'HTTP/1.1 200 OK')],
    ['SIP/3.0', withLine(0, 'SIP/3.0 200 OK')],
    ['a four-digit status', withLine(0, 'SIP/2.0 2000 OK')],
    ['status 099', withLine(0, 'SIP/2.0 099 No')],
    ['status 700', withLine(0, 'SIP/2.0 700 No')],
    ['no Via', withLine(1, 'X: y')],
    ['a Via without a branch', withLine(1, 'Via: SIP/2.0/UDP h')],
    ['no CSeq', withLine(5, 'X: y')],
    ['a CSeq without a number', withLine(5, 'CSeq: OPTIONS')],
    ['a message cut before its empty line', bytes(answer).subarray(0, -2)],
  ])('%s', (_what, message) => {
    expect(parseResponse(message)).toBeUndefined();
  });
});

test('only the own branch with OPTIONS answers the transaction', () => {
  expect(answersOptions(parsed, branch)).toBe(true);
  expect(answersOptions({ ...parsed, branch: `${branch}0` }, branch)).toBe(false);
  expect(answersOptions({ ...parsed, method: 'INVITE' }, branch)).toBe(false);
});

test('random bytes never throw and never answer us', () => {
  const anything = fc.uint8Array({ maxLength: 2_048 }).map((array) => Buffer.from(array));
  const likeSip = fc
    .array(
      fc.oneof(fc.constantFrom(...answer.toSpliced(1, 1), 'v:;branch=', ''), fc.string({ unit: 'binary' })),
    )
    .map((lines) => bytes(lines));
  fc.assert(
    fc.property(fc.oneof(anything, likeSip), (message) => {
      const response = parseResponse(message);
      return response === undefined || !answersOptions(response, branch);
    }),
    { numRuns: 1_000 },
  );
});

test('an answer with bytes changed never throws, and never counts for another branch', () => {
  const change = fc.tuple(fc.nat(bytes(answer).length - 1), fc.nat(255));
  fc.assert(
    fc.property(fc.array(change, { maxLength: 20 }), (changes) => {
      const message = bytes(answer);
      for (const [index, value] of changes) message[index] = value;
      const response = parseResponse(message);
      return response === undefined || !answersOptions(response, 'z9hG4bKanother');
    }),
  );
});

test('64 KiB of hostile input are read in no time', () => {
  const size = 65_536;
  const hostile = ['\r\n ', ';', '; branch', ' ', 'a:', '"', ',', '\n\r'].map((piece) =>
    Buffer.from(`SIP/2.0 200 OK\r\nVia: ${piece.repeat(size / piece.length)}\r\nCSeq: 1 OPTIONS\r\n\r\n`),
  );
  const startedAt = performance.now();
  for (const message of hostile) expect(parseResponse(message)).toBeUndefined();
  expect(performance.now() - startedAt).toBeLessThan(1_000);
});
