import type { PrismaClient } from './storage/database.js';

/** What handlers and RPC operations of this service work with. */
export interface Deps {
  db: PrismaClient;
  now: () => Date;
  /** Tells every gateway to look these keys up anew. */
  announceKeys(authIds: string[]): void;
}
