import { defineService } from '@trunkline/service';
import { config, type Config } from './config.js';
import type { Deps } from './deps.js';
import { database, type PrismaClient } from './storage/database.js';

export const service = defineService<Config, PrismaClient, Deps>({
  name: 'carriers',
  config,
  database,
  routes: [],
  connect: ({ config, platform, db, rpc, secrets, addressPolicy, outboundHttp, logger }) => ({
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
  }),
});
