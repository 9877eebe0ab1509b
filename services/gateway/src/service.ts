import { accountsContract } from '@trunkline/contracts';
import { defineService } from '@trunkline/service';
import { config, type Config } from './config.js';
import { connect } from './connect.js';
import type { Deps } from './deps.js';
import { createOperatorDoor } from './http/operator-door.js';
import { createPublicDoor } from './http/public-door.js';
import { database, type PrismaClient } from './storage/database.js';
import { expireIdempotencyKeys } from './workers/expire-idempotency-keys.js';
import { refreshKeys } from './workers/refresh-keys.js';

export const service = defineService<Config, PrismaClient, Deps>({
  name: 'gateway',
  config,
  database,
  routes: [],
  connect,
  rpc(rpc, { keys }) {
    rpc.listen(accountsContract.keysChanged, ({ auth_ids }) => keys.forget(auth_ids));
  },
  workers: (deps) => [refreshKeys(deps), expireIdempotencyKeys(deps)],
  frontDoor: createPublicDoor,
  doors: (deps) => [
    {
      name: 'operator',
      host: deps.config.operatorHost,
      port: deps.config.operatorPort,
      listener: createOperatorDoor(deps),
    },
  ],
  async close({ upstreams }) {
    await Promise.all([...upstreams.values()].map((upstream) => upstream.close()));
  },
});
