import path from 'node:path';
import type { DatabaseDefinition } from '@trunkline/database';
import { Prisma, PrismaClient } from '../generated/prisma/client.js';

/** The client, or a transaction of it: every storage function takes either. */
export type Db = PrismaClient | Prisma.TransactionClient;
export { Prisma, PrismaClient };

export const database: DatabaseDefinition<PrismaClient> = {
  schema: 'webhook_dispatcher',
  migrationsDir: path.resolve(__dirname, '../../prisma/migrations'),
  createClient: (adapter) => new PrismaClient({ adapter }),
};
