import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import Joi from 'joi';
import { accountsContract } from '@trunkline/contracts';
import {
  createCallerVerifier,
  createHttpApp,
  created,
  describeRoutes,
  noContent,
  ok,
  routesOf,
  type AnyRoute,
} from '@trunkline/http';
import { createInProcessTransport, createRpc } from '@trunkline/rpc';
import { digestOf } from '@trunkline/secrets';
import { startTestService, testEnvironment, type TestService } from '@trunkline/testing';
import type { Deps } from '../src/deps.js';
import { service } from '../src/service.js';

export const OPERATOR_TOKEN = 'op_test_token_op_test_token_op_test_token';
export const TOKEN = '0123456789abcdef0123456789abcdef';

/** The service behind the gateway under test: it counts, echoes and misbehaves on demand. */
export interface Backend {
  created: number;
  /** Overrides what POST /v1/things does. */
  onCreate?: () => Promise<void>;
  url: string;
  stop(): Promise<void>;
}

const route = routesOf<Backend>();
const shared = {
  tag: { name: 'Things', description: 'x' },
  summary: 'x',
  errors: [],
  responses: { 200: { description: 'x' } },
} as const;

const routes: AnyRoute<Backend>[] = [
  route({
    ...shared,
    audience: 'account',
    operationId: 'listThings',
    method: 'get',
    path: '/v1/things',
    handle: async (_, { caller, requestId }) => ok({ caller, requestId }),
  }),
  route({
    ...shared,
    audience: 'account',
    operationId: 'createThing',
    method: 'post',
    path: '/v1/things',
    body: Joi.object<{ name: string }>({ name: Joi.string().required() }),
    async handle(backend, { body }) {
      await backend.onCreate?.();
      return created({ n: ++backend.created, name: body.name });
    },
  }),
  route({
    ...shared,
    audience: 'account',
    operationId: 'getOwnThing',
    method: 'get',
    path: '/v1/account/:auth_id/things/:id',
    handle: async (_, { params }) => ok(params),
  }),
  route({
    ...shared,
    audience: 'account',
    operationId: 'removeThing',
    method: 'delete',
    path: '/v1/things/:id',
    handle: async () => noContent(),
  }),
  route({
    ...shared,
    audience: 'account',
    operationId: 'bigThing',
    method: 'get',
    path: '/v1/big',
    handle: async () => ok('x'.repeat(3_000_000)),
  }),
  route({
    ...shared,
    audience: 'account',
    operationId: 'slowThing',
    method: 'get',
    path: '/v1/slow',
    handle: () => new Promise(() => undefined),
  }),
  route({
    ...shared,
    audience: 'operator',
    operationId: 'operatorThing',
    method: 'post',
    path: '/operator/v1/things',
    handle: async (backend) => created({ n: ++backend.created, secret: 'shown once' }),
  }),
];

export interface GatewayUnderTest extends TestService<Deps> {
  backend: Backend;
  keys: Map<string, accountsContract.ApiKey>;
  /** How many questions the accounts service got. */
  asked: () => number;
  operatorUrl: string;
  addKey(authId: string, change?: Partial<accountsContract.ApiKey>): string;
  /** fetch with HTTP Basic of this Auth ID. */
  get(authId: string, path: string, init?: RequestInit): Promise<Response>;
}

export async function startGateway(
  environment: Record<string, string> = {},
  options: { runWorkers?: boolean } = {},
): Promise<GatewayUnderTest> {
  const backend = await startBackend();
  const transport = createInProcessTransport();
  const keys = new Map<string, accountsContract.ApiKey>();
  let asked = 0;
  createRpc(transport, { service: 'accounts' }).serve(accountsContract.findKeys, async ({ auth_ids }) => {
    asked++;
    return { keys: auth_ids.flatMap((authId) => keys.get(authId) ?? []) };
  });
  const apiFile = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'gateway-')), 'api.json');
  fs.writeFileSync(apiFile, JSON.stringify(describeRoutes('things', routes)));
  const running = await startTestService(service, {
    transport,
    runWorkers: options.runWorkers ?? true,
    environment: {
      OPERATOR_TOKEN,
      OPERATOR_HOST: '127.0.0.1',
      OPERATOR_PORT: '0',
      API_FILE: apiFile,
      UPSTREAMS: `things=${backend.url}`,
      UPSTREAM_TIMEOUT_MS: '1000',
      ...environment,
    },
  });
  const gateway: GatewayUnderTest = {
    ...running,
    backend,
    keys,
    asked: () => asked,
    operatorUrl: running.doors.operator ?? '',
    addKey(authId, change = {}) {
      keys.set(authId, { ...keyOf(authId), ...change });
      return authId;
    },
    get: (authId, to, init = {}) =>
      fetch(`${running.url}${to}`, {
        ...init,
        headers: { authorization: basic(authId, TOKEN), ...init.headers },
      }),
    async stop() {
      await running.stop();
      await backend.stop();
      await transport.close();
      await running.database.drop();
    },
  };
  return gateway;
}

export function basic(authId: string, token: string): string {
  return `Basic ${Buffer.from(`${authId}:${token}`).toString('base64')}`;
}

function keyOf(authId: string): accountsContract.ApiKey {
  return {
    auth_id: authId,
    token_digest: digestOf(TOKEN).toString('hex'),
    account_id: '00000000-0000-4000-8000-000000000001',
    tenant_id: 'TJ0000FFFF',
    account_status: 'active',
    currency: 'USD',
    billing_mode: 'postpaid',
  };
}

async function startBackend(port = 0): Promise<Backend> {
  const backend: Backend = { created: 0, url: '', stop: async () => undefined };
  const verifyCaller = createCallerVerifier(testEnvironment('').CALLER_SECRET ?? '');
  const server = http.createServer(createHttpApp({ routes, deps: backend, verifyCaller }));
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  backend.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  backend.stop = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return backend;
}
