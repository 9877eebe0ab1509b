import type { AddressPolicy, OutboundHttp } from '@trunkline/outbound-http';
import type { Rpc } from '@trunkline/rpc';
import type { SecretBox } from '@trunkline/secrets';
import type { Logger } from '@trunkline/service';
import type { Config } from './config.js';
import type { PrismaClient } from './storage/database.js';

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
}
