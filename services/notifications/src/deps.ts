import type { Relay } from '@trunkline/events';
import type { Rpc } from '@trunkline/rpc';
import type { SecretBox } from '@trunkline/secrets';
import type { Logger } from '@trunkline/service';
import type { EmailProvider } from './adapters/email-provider.js';
import type { Config } from './config.js';
import type { PrismaClient } from './storage/database.js';

/** What handlers, RPC operations, consumers and workers of this service work with. */
export interface Deps {
  db: PrismaClient;
  config: Readonly<Config>;
  now: () => Date;
  random: () => number;
  randomBytes: (size: number) => Buffer;
  rpc: Rpc;
  secrets: SecretBox;
  /** `http://` on loopback is a valid receiver (embedded mode). */
  allowHttpOnLoopback: boolean;
  /** The inbox is open (embedded mode). */
  sandbox: boolean;
  emailProvider: EmailProvider;
  logger: Logger;
  /** Publishes what lies in the outbox; woken after every commit that put something there. */
  relay: Relay;
}
