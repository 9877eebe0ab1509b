import { accountsContract } from '@trunkline/contracts';
import { defineService } from '@trunkline/service';
import { config } from './config.js';
import type { Deps } from './deps.js';
import { accountRoutes } from './http/accounts.router.js';
import { keyRoutes } from './http/keys.router.js';
import { findContact } from './rpc/find-contact.js';
import { findKeys } from './rpc/find-keys.js';
import { database, type PrismaClient } from './storage/database.js';

export const service = defineService<Record<never, never>, PrismaClient, Deps>({
  name: 'accounts',
  config,
  database,
  routes: [...accountRoutes, ...keyRoutes],
  connect: ({ db, rpc }) => ({
    db,
    now: () => new Date(),
    announceKeys: (authIds) => rpc.broadcast(accountsContract.keysChanged, { auth_ids: authIds }),
  }),
  rpc(rpc, deps) {
    rpc.serve(accountsContract.findKeys, (request) => findKeys(deps, request));
    rpc.serve(accountsContract.findContact, (request) => findContact(deps, request));
  },
});
