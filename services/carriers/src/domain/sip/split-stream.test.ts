import fc from 'fast-check';
import { MAX_MESSAGE_BYTES, splitStream } from './split-stream.js';

const message = (body = '', header = 'Content-Length'): string =>
  `SIP/2.0 200 OK\r\n${header}: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
const split = (text: string): { messages: string[]; rest: string; tooLarge: boolean } => {
  const { messages, rest, tooLarge } = splitStream(Buffer.from(text));
  return { messages: messages.map(String), rest: String(rest), tooLarge };
};

test('nothing gives nothing', () => {
  expect(split('')).toEqual({ messages: [], rest: '', tooLarge: false });
});

test('messages are cut by their Content-Length, what is left is kept', () => {
  const text = message('v=0\r\n\r\nx') + message() + 'SIP/2.0 40';
  expect(split(text)).toEqual({
    messages: [message('v=0\r\n\r\nx'), message()],
    rest: 'SIP/2.0 40',
    tooLarge: false,
  });
});

test.each(['l', 'L', 'CONTENT-LENGTH ', 'Content-Length\t'])('the header %j is understood', (header) => {
  expect(split(message('body', header)).messages).toEqual([message('body', header)]);
});

test('CRLF keep-alives around messages vanish', () => {
  const text = `\r\n\r\n${message('a')}\r\n\r\n\r\n${message('b')}\r\n\r`;
  expect(split(text)).toEqual({ messages: [message('a'), message('b')], rest: '', tooLarge: false });
});

test('a missing or unreadable Content-Length counts as 0', () => {
  expect(split('A\r\n\r\nB\r\nl: -5\r\n\r\n').messages).toEqual(['A\r\n\r\n', 'B\r\nl: -5\r\n\r\n']);
});

test('LF line ends are understood', () => {
  expect(split('A\nl: 2\n\nxyB').messages).toEqual(['A\nl: 2\n\nxy']);
});

test('a body that has not come keeps the message back', () => {
  const whole = message('1234567890');
  expect(split(whole.slice(0, -1))).toEqual({ messages: [], rest: whole.slice(0, -1), tooLarge: false });
});

test('a message larger than 64 KiB, come or declared, gives the stream up', () => {
  expect(split('x'.repeat(MAX_MESSAGE_BYTES)).tooLarge).toBe(false);
  expect(split('x'.repeat(MAX_MESSAGE_BYTES + 1)).tooLarge).toBe(true);
  expect(split(`A\r\nl: ${MAX_MESSAGE_BYTES}\r\n\r\n`).tooLarge).toBe(true);
  expect(split(`A\r\nl: ${'9'.repeat(400)}\r\n\r\n`).tooLarge).toBe(true);
  expect(split(`${message('a')}A\r\nl: 99999999\r\n\r\n`).messages).toEqual([message('a')]);
});

test('however the stream is cut into segments, the same messages come out', () => {
  const bodies = fc.array(fc.string({ unit: 'binary' }), { maxLength: 5 });
  const cuts = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 });
  fc.assert(
    fc.property(bodies, cuts, (texts, sizes) => {
      const sent = texts.map((text) => message(text));
      const stream = Buffer.from(sent.join('\r\n\r\n'));
      const got: string[] = [];
      let rest: Buffer = Buffer.alloc(0);
      for (let at = 0, turn = 0; at < stream.length; turn++) {
        const size = sizes[turn % sizes.length] ?? 1;
        const step = splitStream(Buffer.concat([rest, stream.subarray(at, at + size)]));
        got.push(...step.messages.map(String));
        rest = step.rest;
        at += size;
      }
      expect(got).toEqual(sent);
    }),
  );
});

test('random bytes never throw, and nothing is lost but line breaks', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 500 }), (array) => {
      const { messages, rest } = splitStream(Buffer.from(array));
      const kept = Buffer.concat([...messages, rest]);
      return kept.length <= array.length && messages.every((part) => part.length > 0);
    }),
  );
});
