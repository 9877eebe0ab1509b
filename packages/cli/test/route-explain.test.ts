import { AUTH_ID, BEARER, runCli, settingsFor } from './run-cli.js';
import { startScriptedApi, type ScriptedApi } from './scripted-api.js';

let api: ScriptedApi;
beforeAll(async () => {
  api = await startScriptedApi();
});
afterEach(() => api.reset());
afterAll(() => api.stop());

const cli = (line: string) => runCli(line, { env: settingsFor(api) });
const PREVIEW = 'POST /operator/v1/routing/preview';
const TO = '+442071838750';
/** Only what decisions 3 promise of a candidate. */
const bare = {
  carrier_id: 'c1',
  route_id: 'r1',
  prefix: '+44',
  priority: 100,
  weight: 1,
  rate: null,
  decision: 'selected',
  reason: 'only_candidate',
};
const full = {
  ...bare,
  carrier_name: 'Acme',
  carrier_code: 'acme',
  owner: 'account',
  route_priority: 50,
  rate: 0.01,
  rate_currency: 'USD',
  health_status: 'healthy',
  active_channels: 3,
  max_channels: 5,
};
const explain = async (...candidates: object[]) => {
  api.answer(PREVIEW, { body: { to_e164: TO, selected: candidates[0] ?? null, candidates } });
  return (await cli(`route explain ${TO}`)).stdout;
};

test('candidates stand in the order in which they are tried', async () => {
  const out = await explain(
    { ...full, reason: 'least_cost' },
    {
      ...full,
      carrier_id: 'c2',
      carrier_name: 'Backup',
      rate: 0.02,
      decision: 'failover',
      reason: 'higher_rate',
    },
    {
      ...full,
      carrier_id: 'c3',
      carrier_name: 'Sick',
      health_status: 'unhealthy',
      decision: 'skipped',
      reason: 'unhealthy',
    },
    {
      ...full,
      carrier_name: null,
      owner: 'platform',
      prefix: '+',
      rate: null,
      decision: 'failover',
      reason: 'shorter_prefix',
    },
  );
  expect(out).toBe(
    [
      'A call to +442071838750 goes to Acme (c1), because its rate 0.01 USD is the lowest among carriers of equal prefix, priority and weight.',
      '',
      '#  DECISION  CARRIER  WHOSE     PREFIX  PRIORITY  ROUTE PRIORITY  WEIGHT      RATE  HEALTH     CHANNELS  WHY',
      '1  selected  Acme     account   +44          100              50       1  0.01 USD  healthy         3/5  the lowest rate',
      '2  failover  Backup   account   +44          100              50       1  0.02 USD  healthy         3/5  a higher rate',
      '-  skipped   Sick     account   +44          100              50       1  0.01 USD  unhealthy       3/5  its health probes fail',
      '3  failover  c1       platform  +            100              50       1         -  healthy         3/5  a shorter prefix',
      '',
    ].join('\n'),
  );
});

test('fields that a platform leaves out have no column', async () => {
  expect(await explain(bare)).toBe(
    [
      'A call to +442071838750 goes to c1, because it is the only carrier that can take the call at the best match (longest prefix +44, then priority).',
      '',
      '#  DECISION  CARRIER  PREFIX  PRIORITY  WEIGHT  RATE  WHY',
      '1  selected  c1       +44          100       1     -  the only one left at the best match',
      '',
    ].join('\n'),
  );
});

test.each([
  [
    'round_robin',
    'it is its turn in the weighted round-robin (weight 1) among carriers of equal prefix and priority',
  ],
  ['rotation', 'it is its turn among carriers of equal prefix, priority, weight and rate'],
  ['a_rule_of_tomorrow', 'a rule of tomorrow'],
])('why the selected one was chosen: %s', async (reason, why) => {
  expect(await explain({ ...full, reason })).toMatch(`A call to ${TO} goes to Acme (c1), because ${why}.\n`);
});

test('no route matches', async () => {
  expect(await explain()).toBe(
    `No carrier takes a call to ${TO}: no route of ${AUTH_ID} or of the default carriers matches it.\n`,
  );
});

test.each([
  [['unhealthy'], 'the one matching route is skipped: its health probes fail'],
  [
    ['full', 'unhealthy', 'full', 'carrier_disabled'],
    'all 4 matching routes are skipped: 2 × all its channels are taken, 1 × its health probes fail, 1 × the carrier is disabled',
  ],
])('none can take the call: %p', async (reasons, why) => {
  const out = await explain(...reasons.map((reason) => ({ ...full, decision: 'skipped', reason })));
  expect(out.split('\n')[0]).toBe(`No carrier takes a call to ${TO} (502 NO_CARRIER_AVAILABLE): ${why}.`);
});

test('it asks as the operator, for the Auth ID of the settings or the one given', async () => {
  await explain(full);
  await cli(`route explain ${TO} --auth-id TJ00000001`);
  expect(api.requests).toMatchObject([
    { authorization: BEARER, body: JSON.stringify({ auth_id: AUTH_ID, to: TO }) },
    { authorization: BEARER, body: JSON.stringify({ auth_id: 'TJ00000001', to: TO }) },
  ]);
});

test('--auth-id needs no settings of an account', async () => {
  await explain(full);
  const { TRUNKLINE_OPERATOR_URL, TRUNKLINE_OPERATOR_TOKEN } = settingsFor(api);
  const env = { TRUNKLINE_OPERATOR_URL, TRUNKLINE_OPERATOR_TOKEN };
  expect((await runCli(`route explain ${TO} --auth-id TJ00000001`, { env })).status).toBe(0);
  expect((await runCli(`route explain ${TO}`, { env })).stderr).toContain('TRUNKLINE_AUTH_ID');
});

test('--json prints the answer as it came', async () => {
  api.answer(PREVIEW, { body: '{ "to_e164": "+44",\n  "selected": null, "candidates": [] }' });
  expect((await cli(`route explain ${TO} --json`)).stdout).toBe(
    '{ "to_e164": "+44",\n  "selected": null, "candidates": [] }\n',
  );
});
