// The gateway as it is deployed (authentication, table, caller header, breaker, metrics, log), its log to a file.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { accountsContract } from '@trunkline/contracts';
import { service as carriers } from '@trunkline/carriers';
import { createPostgresBus } from '@trunkline/events';
import { service } from '@trunkline/gateway';
import { describeRoutes } from '@trunkline/http';
import { createInProcessTransport, createRpc } from '@trunkline/rpc';
import { digestOf } from '@trunkline/secrets';
import { createLogger, startService } from '@trunkline/service';
import { answerCpuQuestions } from './target.mjs';

const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'bench-gateway-'));
const apiFile = path.join(dir, 'api.json');
fs.writeFileSync(apiFile, JSON.stringify(describeRoutes('carriers', carriers.routes)));

const transport = createInProcessTransport();
createRpc(transport, { service: 'accounts' }).serve(accountsContract.findKeys, async ({ auth_ids }) => ({
  keys: auth_ids.map((auth_id) => ({
    auth_id,
    token_digest: digestOf(process.env.TOKEN).toString('hex'),
    account_id: '00000000-0000-4000-8000-000000000001',
    tenant_id: 'TJ00000001',
    account_status: 'active',
    currency: 'USD',
    billing_mode: 'postpaid',
  })),
}));
const logger = createLogger({ level: 'info', service: 'gateway', file: path.join(dir, 'log') });
const running = await startService(service, {
  transport,
  bus: createPostgresBus({ url: process.env.BENCH_DATABASE_URL, log: logger }),
  logger,
  environment: {
    HOST: '127.0.0.1',
    PORT: '0',
    INTERNAL_HOST: '127.0.0.1',
    INTERNAL_PORT: '0',
    OPERATOR_HOST: '127.0.0.1',
    OPERATOR_PORT: '0',
    OPERATOR_TOKEN: 'x'.repeat(32),
    CALLER_SECRET: 'x'.repeat(32),
    ENCRYPTION_KEYS: `x:${Buffer.alloc(32).toString('base64')}`,
    DATABASE_URL: process.env.BENCH_DATABASE_URL,
    API_FILE: apiFile,
    UPSTREAMS: `carriers=${process.env.BACKEND_URL}`,
    RATE_LIMIT_PER_SECOND: process.env.RATE_LIMIT_PER_SECOND ?? '0',
  },
});
process.send({ port: new URL(running.url).port });
answerCpuQuestions();
