import { startTestService, type TestService } from '@trunkline/testing';
import type { Deps } from '../src/deps.js';
import { service } from '../src/service.js';
import { alive, insertCarriers, scriptedProber } from './health-fixtures.js';

const CARRIERS = 10_000;
/** What 10,000 carriers at 30 s need. */
const NEEDED_PER_SECOND = CARRIERS / 30;

let carriers: TestService<Deps>;
beforeAll(async () => {
  const prober = scriptedProber(async () => alive);
  const environment = { HEALTH_CHECK_PERIOD_SECONDS: '3600' };
  carriers = await startTestService(service, { overrides: { prober: prober.probe }, environment });
  await insertCarriers(carriers.deps.db, CARRIERS);
});
afterAll(() => carriers.stop());

test('claiming and writing keep up with 10,000 carriers every 30 s several times over', async () => {
  const startedAt = performance.now();
  for (let claimed = 0; claimed < CARRIERS;) {
    const handled = await carriers.pass('probe-carriers');
    claimed += handled;
    if (handled === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await carriers.deps.probes.settled();
  const perSecond = CARRIERS / ((performance.now() - startedAt) / 1_000);
  process.stderr.write(`probes claimed and written: ${Math.round(perSecond)}/s\n`);
  expect(await carriers.deps.db.healthProbe.count()).toBe(CARRIERS);
  expect(perSecond).toBeGreaterThan(2 * NEEDED_PER_SECOND);
});
