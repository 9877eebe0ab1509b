import fs from 'node:fs';
import path from 'node:path';
import { accountsContract } from '@trunkline/contracts';
import { buildOpenApiDocument, createCallerSigner, type ApiOperation, type Audience } from '@trunkline/http';
import { digestOf } from '@trunkline/secrets';
import type { ServiceContext } from '@trunkline/service';
import { Upstream } from './adapters/upstream.js';
import type { Config } from './config.js';
import type { Deps } from './deps.js';
import { RouteTable } from './domain/route-table.js';
import type { PrismaClient } from './storage/database.js';
import { KeyCache } from './use-cases/key-cache.js';
import { RateLimiter } from './use-cases/rate-limiter.js';

/** Written by the build from the route definitions of all services (tools/describe-api.mjs). */
const API_FILE = path.resolve(__dirname, '../generated/api.json');

const DESCRIPTION =
  'Bring your own SIP carriers, place calls, verify people and deliver events, through one API.';

export function connect(context: ServiceContext<Config, PrismaClient>): Deps {
  const { config, platform, db, rpc, secrets, observe } = context;
  const operations = readOperations(config.apiFile || API_FILE);
  const upstreams = connectUpstreams(config, operations);
  const findKeys = async (authIds: string[]) =>
    (await rpc.call(accountsContract.findKeys, { auth_ids: authIds })).keys;
  const documentOf = (audience: Audience, serverUrl: string) =>
    buildOpenApiDocument(operations, {
      title: 'Trunkline',
      version: '1.0.0',
      description: DESCRIPTION,
      serverUrl,
      audience,
    });
  return {
    db,
    config,
    secrets,
    keys: new KeyCache({ findKeys }),
    rateLimiter: config.rateLimitPerSecond
      ? new RateLimiter({ perSecond: config.rateLimitPerSecond, burst: config.rateLimitBurst })
      : undefined,
    publicTable: new RouteTable(operations, 'account'),
    operatorTable: new RouteTable(operations, 'operator'),
    publicDocument: documentOf('account', config.publicUrl),
    operatorDocument: documentOf('operator', `http://127.0.0.1:${config.operatorPort}`),
    operatorDigest: digestOf(config.operatorToken),
    signCaller: createCallerSigner(platform.callerSecret),
    upstreams,
    upstream(service) {
      const upstream = upstreams.get(service);
      if (!upstream) throw new Error(`the route table names "${service}", which is no upstream`);
      return upstream;
    },
    observe,
    canAuthenticate: async () => void (await findKeys([])),
  };
}

function readOperations(file: string): ApiOperation[] {
  if (!fs.existsSync(file))
    throw new Error(
      `${file} is missing: run "pnpm build", which writes it from the services' route definitions.`,
    );
  return JSON.parse(fs.readFileSync(file, 'utf8')) as ApiOperation[];
}

function connectUpstreams(config: Config, operations: readonly ApiOperation[]): Map<string, Upstream> {
  const given = new Map(
    config.upstreams
      .split(',')
      .filter(Boolean)
      .map(
        (pair) =>
          [pair.slice(0, pair.indexOf('=')).trim(), pair.slice(pair.indexOf('=') + 1).trim()] as const,
      ),
  );
  const names = new Set(operations.map(({ service }) => service));
  return new Map(
    [...names].map((name) => {
      const url = given.get(name) ?? `http://${name}:3000`;
      return [
        name,
        new Upstream({
          name,
          url,
          connections: config.upstreamConnections,
          timeoutMs: config.upstreamTimeoutMs,
        }),
      ];
    }),
  );
}
