/** A seeded generator (mulberry32): every run measures the same decks and the same calls. */
export function seeded(seed) {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

const CARRIERS = 24;

/** Country codes by length, as E.164 has them; the number of digits of a deck's prefixes, as often as in real decks. */
const COUNTRY_CODES = ['1', '7']
  .concat(Array.from({ length: 43 }, (_, i) => String(20 + i)))
  .concat(Array.from({ length: 150 }, (_, i) => String(210 + i * 5)));
const LENGTHS = [1, 2, 3, 4, 5, 6, 6, 7, 7, 7, 8, 8, 9, 9];

function digits(random, text, length) {
  while (text.length < length) text += String(Math.floor(random() * 10));
  return text;
}

/** `count` distinct prefixes of 1 to 9 digits, without the plus sign. */
export function prefixes(random, count) {
  const found = new Set();
  while (found.size < count) {
    const country = COUNTRY_CODES[Math.floor(random() * COUNTRY_CODES.length)];
    found.add(digits(random, country, LENGTHS[Math.floor(random() * LENGTHS.length)]));
  }
  return [...found];
}

/** E.164 numbers, nine in ten below one of the prefixes, every prefix alike: nearly every call meets cold memory. */
export function numbers(random, deck, count) {
  return Array.from({ length: count }, () => {
    const start =
      random() < 0.9 ? deck[Math.floor(random() * deck.length)] : String(1 + Math.floor(random() * 9));
    return `+${digits(random, start, 11 + Math.floor(random() * 3))}`;
  });
}

/** Carriers in every state, most of them routable; `kind` keeps the ids of two owners apart. */
export function carriers(random, kind, count = CARRIERS) {
  return Array.from({ length: count }, (_, i) => ({
    id: uuid(kind, i),
    status: i % 12 === 5 ? 'disabled' : 'active',
    healthStatus: i % 12 === 7 ? 'unhealthy' : i % 3 === 0 ? 'unknown' : 'healthy',
    carrierType: 'outbound',
    priority: i % 8 === 0 ? 200 : 100,
    weight: i % 2 === 0 ? 1 : 1 + Math.floor(random() * 5),
    maxChannels: 100,
  }));
}

/** One to four carriers a prefix, as a generator, the way they come from the database; stops after `limit`. */
export function* routes(random, deck, limit = Infinity) {
  let made = 0;
  for (const prefix of deck) {
    const first = Math.floor(random() * CARRIERS);
    const count = 1 + Math.floor(random() * 4);
    for (let i = 0; i < count; i++) {
      if (made === limit) return;
      yield {
        id: uuid(2, made++),
        carrierId: uuid(0, (first + i * 5) % CARRIERS),
        prefix: `+${prefix}`,
        priority: 100,
        rate: random() < 0.1 ? null : Math.floor(random() * 20) / 1000,
        rateCurrency: random() < 0.9 ? 'USD' : 'EUR',
      };
    }
  }
}

function uuid(kind, i) {
  return `0000000${kind}-0000-4000-8000-${i.toString(16).padStart(12, '0')}`;
}
