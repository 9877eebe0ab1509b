import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { eventually, startTestService, type TestService, withPrograms } from '@trunkline/testing';
import type { Deps } from '../src/deps.js';
import { service } from '../src/service.js';
import { healthOf, insertOne, logOf } from './health-fixtures.js';
import { freePort } from './peers/free-port.js';
import { startKamailio, type Kamailio } from './peers/kamailio.js';
import { startSipp, type Sipp } from './peers/sipp.js';

const environment = { HEALTH_CHECK_PERIOD_SECONDS: '0.3' };

/** The life of a carrier whose peer dies and comes back, with the health checker running by itself. */
async function expectDeathAndReturn(
  carriers: TestService<Deps>,
  id: string,
  peer: { kill: () => Promise<unknown>; restart: () => Promise<unknown> },
): Promise<void> {
  const { db } = carriers.deps;
  const { owner } = await db.carrier.findUniqueOrThrow({ where: { id } });
  const changes = () => db.routingChange.count({ where: { scope: owner } });
  const becomes = (status: string) =>
    eventually(async () => expect((await healthOf(db, id)).status).toBe(status), 10_000);

  await becomes('healthy');
  const [firstProbe] = await logOf(db, id);
  expect(firstProbe!.responseTimeMs).toBeGreaterThanOrEqual(1);
  expect(firstProbe!.responseTimeMs).toBeLessThan(1_000);
  const changesWhenHealthy = await changes();

  await peer.kill();
  await becomes('unhealthy');
  expect(await changes()).toBe(changesWhenHealthy + 1);
  const routed = () =>
    carriers.deps.routing.routesOf(owner)?.index.carriers.find((carrier) => carrier.id === id)?.healthStatus;
  await eventually(() => expect(routed()).toBe('unhealthy'), 1_000);

  await peer.restart();
  await becomes('healthy');
  expect(await changes()).toBe(changesWhenHealthy + 2);

  const log = await logOf(db, id);
  const died = log.findIndex(({ status }) => status === 'unhealthy');
  const cameBack = log.findIndex(({ status }, n) => n > died && status === 'healthy');
  expect(log[died]!.errorMessage).toMatch(/connection refused|timeout|connection (reset|closed)/);
  expect(cameBack - died).toBeGreaterThanOrEqual(2);
}

withPrograms('sipp')('against a real sipp', () => {
  let carriers: TestService<Deps>;
  let sipp: Sipp;
  beforeAll(async () => {
    carriers = await startTestService(service, { environment, runWorkers: true });
  });
  afterAll(async () => {
    await sipp?.stop();
    await carriers.stop();
  });

  test.each(['udp', 'tcp'] as const)(
    'over %s a carrier that dies and comes back is noticed',
    async (transport) => {
      const options = { transport, status: 200, port: await freePort() };
      sipp = await startSipp(options);
      const fields = { owner: `sipp-${transport}`, sipHost: '127.0.0.1', sipPort: sipp.port, transport };
      const id = await insertOne(carriers.deps.db, fields);
      await expectDeathAndReturn(carriers, id, {
        kill: () => sipp.stop(),
        restart: async () => (sipp = await startSipp(options)),
      });
      await carriers.deps.db.carrier.delete({ where: { id } });
      await sipp.stop();
    },
  );
});

withPrograms('kamailio', 'openssl')('against a real Kamailio', () => {
  let kamailio: Kamailio;
  let folder: string;
  let trusting: TestService<Deps>;
  beforeAll(async () => {
    kamailio = await startKamailio();
    folder = await fs.mkdtemp(path.join(os.tmpdir(), 'trunkline-health-'));
    const caFile = path.join(folder, 'ca.pem');
    await fs.writeFile(caFile, kamailio.ca);
    trusting = await startTestService(service, {
      environment: { ...environment, SIP_TLS_CA_FILE: caFile },
      runWorkers: true,
    });
  });
  afterAll(async () => {
    await trusting.stop();
    await kamailio.stop();
    await fs.rm(folder, { recursive: true });
  });

  test.each(['udp', 'tcp', 'tls'] as const)(
    'over %s a carrier that dies and comes back is noticed',
    async (transport) => {
      const sipPort = kamailio[`${transport}Port`];
      const fields = { owner: `kamailio-${transport}`, sipHost: '127.0.0.1', sipPort, transport };
      const id = await insertOne(trusting.deps.db, fields);
      await expectDeathAndReturn(trusting, id, { kill: kamailio.stop, restart: kamailio.restart });
      await trusting.deps.db.carrier.delete({ where: { id } });
    },
  );

  test('without its authority a TLS carrier is unhealthy, and the log says why', async () => {
    const carriers = await startTestService(service, { environment, runWorkers: true });
    const fields = { sipHost: '127.0.0.1', sipPort: kamailio.tlsPort, transport: 'tls' };
    const id = await insertOne(carriers.deps.db, fields);
    await eventually(
      async () => expect((await healthOf(carriers.deps.db, id)).status).toBe('unhealthy'),
      10_000,
    );
    expect((await logOf(carriers.deps.db, id))[0]!.errorMessage).toMatch(/^TLS: /);
    await carriers.stop();
  });
});

test('a file of authorities that cannot be read stops the service at its start', async () => {
  const started = startTestService(service, { environment: { SIP_TLS_CA_FILE: '/nowhere/ca.pem' } });
  await expect(started).rejects.toThrow(/nowhere/);
});
