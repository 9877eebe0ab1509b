/**
 * The routing decision (services/carriers/src/domain/routing) against a bare longest-prefix lookup in mnemonist's
 * TrieMap, on the same prefixes and numbers, in alternating rounds. Run after `pnpm build`:
 *   node bench/routing/routing.bench.mjs [--json]
 * ROUTING_DIST names another directory of the compiled domain.
 */
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { carriers, numbers, prefixes, routes, seeded } from './rate-deck.mjs';

const require = createRequire(import.meta.url);
const TrieMap = require('mnemonist/trie-map');

const dist =
  process.env.ROUTING_DIST ??
  fileURLToPath(new URL('../../services/carriers/dist/domain/routing', import.meta.url));
const { buildRouteIndex } = require(`${dist}/route-index.js`);
const { createCursors, advance } = require(`${dist}/cursors.js`);
const { decideRoute } = require(`${dist}/decide-route.js`);

const SIZES = [1_000, 100_000, 1_000_000];
const RULES = 383_000;
const CALLS = 200_000;
const ROUNDS = 9;
const WARM_UP = 2;

const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];
const inWhole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });

function collectGarbage() {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
}

function memory() {
  collectGarbage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

/** mnemonist has no longest-prefix method; this is the plain walk over the nodes of its TrieMap. */
function longestPrefixIn(trie, number) {
  let node = trie.root;
  let found;
  for (let i = 1; i < number.length; i++) {
    node = node[number[i]];
    if (node === undefined) break;
    found = node[TrieMap.SENTINEL] ?? found;
  }
  return found;
}

function loadRules() {
  const random = seeded(383);
  const own = carriers(random, 0);
  const deck = prefixes(random, RULES);
  // Warmed by a small load; the rules come one at a time, so nothing but the index is left afterwards.
  buildRouteIndex(own, routes(random, deck.slice(0, 1_000)));
  const before = memory();
  const start = performance.now();
  const index = buildRouteIndex(own, routes(random, deck, RULES));
  const seconds = (performance.now() - start) / 1_000;
  const megabytes = (memory() - before) / 1_000_000;
  return { rules: index.table.routeIds.filter((id) => id !== '').length, seconds, megabytes };
}

function contestants(size) {
  const random = seeded(size);
  const deck = prefixes(random, size);
  const trie = new TrieMap();
  deck.forEach((prefix, i) => trie.set(prefix, i + 1));
  const own = buildRouteIndex(carriers(random, 0), routes(random, deck));
  const platform = carriers(random, 1, 3);
  const catchAll = platform.map(({ id }, i) => ({
    id: `catch-all-${i}`,
    carrierId: id,
    prefix: '+',
    priority: 100,
    rate: 0.01,
    rateCurrency: 'USD',
  }));
  const defaults = buildRouteIndex(platform, catchAll);
  const calls = numbers(random, deck, CALLS);
  return { size, calls, trie, own, defaults, cursors: createCursors(), decisions: [], lookups: [] };
}

/** A whole decision: both owners' routes, every state and rate looked at, the cursor moved. */
function decideAll({ calls, own, defaults, cursors }) {
  let routed = 0;
  for (const to of calls) {
    const decision = decideRoute({ own, defaults, to, currency: 'USD', cursors });
    if (decision === undefined) continue;
    advance(cursors, decision);
    routed++;
  }
  return routed;
}

function lookUpAll({ calls, trie }) {
  let found = 0;
  for (const to of calls) if (longestPrefixIn(trie, to) !== undefined) found++;
  return found;
}

function perSecond(work, contestant) {
  const start = performance.now();
  if (work(contestant) === 0) throw new Error('nothing matched');
  return (contestant.calls.length / (performance.now() - start)) * 1_000;
}

export async function run() {
  const load = loadRules();
  const contests = SIZES.map(contestants);
  collectGarbage();
  for (let round = 0; round < WARM_UP + ROUNDS; round++) {
    for (const contest of contests) {
      // The side that goes first alternates too.
      const sides = [() => perSecond(decideAll, contest), () => perSecond(lookUpAll, contest)];
      const [decisions, lookups] =
        round % 2 === 0 ? [sides[0](), sides[1]()] : [sides[1](), sides[0]()].toReversed();
      if (round < WARM_UP) continue;
      contest.decisions.push(decisions);
      contest.lookups.push(lookups);
    }
  }
  const rows = contests.map(({ size, own, decisions, lookups }) => ({
    prefixes: size,
    routes: own.table.routeIds.filter((id) => id !== '').length,
    decisionsPerSecond: Math.round(median(decisions)),
    lookupsPerSecond: Math.round(median(lookups)),
    ratio: median(decisions.map((value, round) => value / lookups[round])),
  }));
  return { name: 'routing', rows, goals: goals(rows, load) };
}

function goals(rows, load) {
  const goal = (text, measured, met) => ({ goal: text, measured, met });
  const [small, middle, large] = rows;
  const slowdown = small.decisionsPerSecond / large.decisionsPerSecond;
  return [
    goal(
      '1,000,000 whole decisions/s per core at 100,000 prefixes',
      `${inWhole.format(middle.decisionsPerSecond)}/s`,
      middle.decisionsPerSecond >= 1_000_000,
    ),
    goal(
      "at least as fast as mnemonist's bare lookup at 100,000 prefixes",
      `${middle.ratio.toFixed(2)} x`,
      middle.ratio >= 1,
    ),
    goal(
      'at most 3 times slower at 1,000,000 prefixes than at 1,000',
      `${slowdown.toFixed(2)} x`,
      slowdown <= 3,
    ),
    goal(
      `${inWhole.format(RULES)} rules loaded in at most 4 s`,
      `${load.seconds.toFixed(2)} s for ${inWhole.format(load.rules)}`,
      load.rules === RULES && load.seconds <= 4,
    ),
    goal(
      `${inWhole.format(RULES)} rules in at most 96 MB`,
      `${load.megabytes.toFixed(1)} MB of heap and buffers`,
      load.megabytes <= 96,
    ),
  ];
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const result = await run();
  if (process.argv.includes('--json')) {
    console.log(JSON.stringify(result, null, 2));
  } else {
    console.table(result.rows);
    console.table(result.goals);
  }
}
