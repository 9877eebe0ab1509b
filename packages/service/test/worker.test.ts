import pino from 'pino';
import { createMetrics, type Worker } from '../src/index.js';
import { repeat } from '../src/worker.js';

const silent = pino({ level: 'silent' });
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const worker = (pass: Worker['pass'], everyMs = 5): Worker => ({ name: 'test', everyMs, pass });

test('passes follow each other and never overlap; stop waits for the one that runs', async () => {
  let running = 0;
  let passes = 0;
  const loop = repeat(
    worker(async () => {
      expect(++running).toBe(1);
      await pause(10);
      running--;
      return { handled: ++passes };
    }),
    silent,
    createMetrics('test'),
  );
  await pause(60);
  await loop.stop();
  expect(running).toBe(0);
  const done = passes;
  expect(done).toBeGreaterThan(1);
  await pause(30);
  expect(passes).toBe(done);
});

test('a full batch is followed at once by the next pass', async () => {
  let passes = 0;
  const loop = repeat(
    worker(async () => ({ handled: 1, more: ++passes < 50 }), 60_000),
    silent,
    createMetrics('test'),
  );
  await pause(100);
  await loop.stop();
  expect(passes).toBe(50);
});

test('a failed pass is counted and tried again', async () => {
  const metrics = createMetrics('test');
  let passes = 0;
  const loop = repeat(
    worker(async () => {
      if (++passes === 1) throw new Error('broken');
      return { handled: 0 };
    }),
    silent,
    metrics,
  );
  await pause(60);
  await loop.stop();
  expect(passes).toBeGreaterThan(1);
  expect(await metrics.registry.metrics()).toMatch(/outcome="failed"/);
});
