import { carriersContract } from '@trunkline/contracts';
import { createRelay } from '@trunkline/events';
import { defineService } from '@trunkline/service';
import { createProber } from './adapters/prober.js';
import { config, type Config } from './config.js';
import type { Deps } from './deps.js';
import { carrierRoutes } from './http/carriers.router.js';
import { defaultCarrierRoutes } from './http/default-carriers.router.js';
import { carrierRouteRoutes } from './http/routes.router.js';
import { routingPreviewRoutes } from './http/routing-preview.router.js';
import { release, renew } from './rpc/leases.js';
import { database, type PrismaClient } from './storage/database.js';
import { recordProbes } from './use-cases/probe-record.js';
import { ProbesUnderWay } from './use-cases/probes-under-way.js';
import { loadRouting } from './use-cases/refresh-routing.js';
import { reserveChannel } from './use-cases/reserve-channel.js';
import { RoutingTable } from './use-cases/routing-table.js';
import { expireLeasesWorker } from './workers/expire-leases.js';
import { probeCarriersWorker } from './workers/probe-carriers.js';
import { pruneProbesWorker } from './workers/prune-probes.js';
import { pruneRoutingChangesWorker } from './workers/prune-routing-changes.js';
import { refreshRoutingWorker } from './workers/refresh-routing.js';

export const service = defineService<Config, PrismaClient, Deps>({
  name: 'carriers',
  config,
  database,
  routes: [...carrierRoutes, ...carrierRouteRoutes, ...defaultCarrierRoutes, ...routingPreviewRoutes],
  async connect({ config, platform, db, rpc, secrets, addressPolicy, outboundHttp, logger, bus, metrics }) {
    const routing = new RoutingTable();
    await loadRouting(db, routing);
    const prober = await createProber({
      timeoutMs: config.healthTimeoutMs,
      degradedAboveMs: config.degradedAboveMs,
      tlsCaFile: config.sipTlsCaFile,
      sandbox: platform.mode === 'embedded',
      addressPolicy,
      outboundHttp,
    });
    const relay = createRelay({ db, bus, log: logger, registry: metrics.registry });
    const probes = new ProbesUnderWay(
      (results) => recordProbes({ db, config, logger, relay }, results),
      (error, results) => logger.error({ error, results }, 'results of probes could not be written'),
    );
    return {
      db,
      config,
      now: () => new Date(),
      random: Math.random,
      rpc,
      secrets,
      addressPolicy,
      outboundHttp,
      allowHttpOnLoopback: platform.mode === 'embedded',
      logger,
      routing,
      prober,
      relay,
      probes,
    };
  },
  rpc(rpc, deps) {
    rpc.serve(carriersContract.reserve, (request) => reserveChannel(deps, request));
    rpc.serve(carriersContract.renew, (request) => renew(deps, request));
    rpc.serve(carriersContract.release, (request) => release(deps, request));
  },
  workers: (deps) => [
    refreshRoutingWorker(deps),
    expireLeasesWorker(deps),
    pruneRoutingChangesWorker(deps),
    probeCarriersWorker(deps),
    pruneProbesWorker(deps),
    deps.relay,
  ],
  close: ({ probes }) => probes.settled(),
});
