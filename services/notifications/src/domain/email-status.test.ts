import fc from 'fast-check';
import { mayFollow, type EmailStatus } from './email-status.js';

const all: EmailStatus[] = ['queued', 'sent', 'delivered', 'bounced', 'failed'];

test('exactly the transitions of the decisions are allowed', () => {
  const allowed = all.flatMap((from) => all.filter((to) => mayFollow(from, to)).map((to) => `${from} ${to}`));
  expect(allowed).toEqual([
    'queued sent',
    'queued failed',
    'sent delivered',
    'sent bounced',
    'sent failed',
    'delivered bounced',
  ]);
});

test('whatever a provider tells in whatever order, an e-mail moves at most three times and never back', () => {
  const rank = { queued: 0, sent: 1, delivered: 2, bounced: 3, failed: 3 };
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...all)), (told) => {
      const seen: EmailStatus[] = ['queued'];
      for (const next of told) if (mayFollow(seen.at(-1)!, next)) seen.push(next);
      expect(seen.length).toBeLessThanOrEqual(4);
      expect(seen.map((status) => rank[status])).toEqual(seen.map((status) => rank[status]).toSorted());
      expect(new Set(seen).size).toBe(seen.length);
    }),
  );
});
