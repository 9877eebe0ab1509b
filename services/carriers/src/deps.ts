import type { Relay } from '@trunkline/events';
import type { AddressPolicy, OutboundHttp } from '@trunkline/outbound-http';
import type { Rpc } from '@trunkline/rpc';
import type { SecretBox } from '@trunkline/secrets';
import type { Logger } from '@trunkline/service';
import type { Prober } from './adapters/prober.js';
import type { Config } from './config.js';
import type { PrismaClient } from './storage/database.js';
import type { ProbesUnderWay } from './use-cases/probes-under-way.js';
import type { RoutingTable } from './use-cases/routing-table.js';

/** What handlers, RPC operations and workers of this service work with. */
export interface Deps {
  db: PrismaClient;
  config: Readonly<Config>;
  now: () => Date;
  random: () => number;
  rpc: Rpc;
  secrets: SecretBox;
  addressPolicy: AddressPolicy;
  outboundHttp: OutboundHttp;
  /** `http://` on loopback is a valid health_check_url (embedded mode). */
  allowHttpOnLoopback: boolean;
  logger: Logger;
  /** What this replica routes by. */
  routing: RoutingTable;
  prober: Prober;
  /** Publishes the events; woken after each commit that wrote some. */
  relay: Relay;
  /** The health probes of this process that are not written yet. */
  probes: ProbesUnderWay;
}
