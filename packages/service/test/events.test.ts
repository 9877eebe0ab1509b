import { randomBytes } from 'node:crypto';
import path from 'node:path';
import Joi from 'joi';
import pino from 'pino';
import { defineEvent } from '@trunkline/contracts';
import {
  createPostgresBus,
  eventsDatabase,
  newEvent,
  on,
  oneByOne,
  type PostgresBus,
} from '@trunkline/events';
import { createInProcessTransport } from '@trunkline/rpc';
import { eventually } from '../../testing/src/eventually.js';
import { createTestDatabase, type TestDatabase } from '../../testing/src/test-database.js';
import { defineConfig, defineService, startService, type Worker } from '../src/index.js';

const thingMade = defineEvent('thing.made', Joi.object<{ n: number }>({ n: Joi.number().required() }));
const event = (n: number) => newEvent(thingMade, { tenantId: 't', occurredAt: new Date(), data: { n } });

let database: TestDatabase;
let bus: PostgresBus;
let happened: string[];
beforeEach(async () => {
  happened = [];
  database = await createTestDatabase(eventsDatabase);
  bus = createPostgresBus({ url: database.url, log: pino({ level: 'silent' }) });
});
afterEach(async () => {
  await bus.close();
  await database.drop();
});

/** A service that listens to one event, slowly, and has a worker that must be woken. */
function listener(wakes: (() => void)[]) {
  const worker: Worker = {
    name: 'sleeper',
    everyMs: 3_600_000,
    async pass() {
      if (happened.push('pass') === 2) wakes[0]!();
      return { handled: 1 };
    },
    onStart: (wake) => void wakes.push(wake),
    finish: async () => void happened.push('worker finished'),
  };
  return defineService({
    name: 'listener',
    config: defineConfig({}),
    database: {
      schema: 'listener',
      migrationsDir: path.join(__dirname, 'none'),
      createClient: () => ({ $disconnect: async () => void happened.push('database closed') }),
    },
    routes: [],
    connect: () => ({}),
    workers: () => [worker],
    consumers: () => [
      {
        group: 'listener',
        topic: thingMade.topic,
        ...oneByOne(
          on(thingMade, async ({ data }) => {
            happened.push(`began ${data.n}`);
            await new Promise((resolve) => setTimeout(resolve, 200));
            happened.push(`took ${data.n}`);
          }),
        ),
      },
    ],
    close: async () => void happened.push('closed'),
  });
}

const start = (wakes: (() => void)[] = []) =>
  startService(listener(wakes), {
    environment: {
      ...{
        HOST: '127.0.0.1',
        PORT: '0',
        INTERNAL_HOST: '127.0.0.1',
        INTERNAL_PORT: '0',
        DRAIN_DELAY_MS: '0',
      },
      DATABASE_URL: database.url,
      CALLER_SECRET: 'x'.repeat(32),
      ENCRYPTION_KEYS: `k:${randomBytes(32).toString('base64')}`,
    },
    transport: createInProcessTransport(),
    bus,
    logger: pino({ level: 'silent' }),
  });

test('a consumer gets its events and reports its lag; stopping lets it finish, then workers, then the database', async () => {
  const service = await start();
  await bus.publish(thingMade.topic.name, [event(1)]);
  await eventually(() => expect(happened).toContain('began 1'));
  await bus.publish(thingMade.topic.name, [event(2)]);
  const metrics = await (await fetch(`${service.internalUrl}/metrics`)).text();
  expect(metrics).toMatch(/trunkline_events_lag\{topic="events",group="listener".*\} [12]/);
  happened.length = 0;
  await service.stop();
  expect(happened).toEqual(['took 1', 'closed', 'worker finished', 'database closed']);
  expect(await bus.lag('events', 'listener')).toBe(1);
});

test('a worker that is woken works at once, also when it is woken in the middle of a pass', async () => {
  const wakes: (() => void)[] = [];
  const service = await start(wakes);
  await eventually(() => expect(happened).toEqual(['pass']));
  wakes[0]!();
  await eventually(() => expect(happened).toEqual(['pass', 'pass', 'pass']), 1_000);
  await service.stop();
});
