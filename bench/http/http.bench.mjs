// What the gateway and the frame of a service cost, as CPU time per request against the bare thing.
import { callerHeader, createCallerSigner } from '@trunkline/http';
import { cpuPerRequest, startTarget } from './measure.mjs';

const TOKEN = '0123456789abcdef0123456789abcdef';
const authorization = `Basic ${Buffer.from(`TJ0000000A:${TOKEN}`).toString('base64')}`;

export const name = 'HTTP: gateway and service';

export async function run() {
  const backend = await startTarget('backend.mjs');
  const env = { BACKEND_URL: backend.url, TOKEN };
  const bare = await startTarget('bare-proxy.mjs', env);
  const express = await startTarget('express-proxy.mjs', env);
  const gateway = await startTarget('gateway.mjs', env);
  const request = { path: '/v1/account/TJ0000000A/carriers', headers: { authorization } };
  const proxies = await cpuPerRequest([
    { name: 'bare', target: bare, request },
    { name: 'gateway', target: gateway, request },
    { name: 'express', target: express, request },
  ]);
  for (const target of [bare, express, gateway, backend]) target.stop();

  const bareExpress = await startTarget('bare-express.mjs');
  const service = await startTarget('service.mjs');
  const caller = {
    kind: 'account',
    auth_id: 'TJ0000000A',
    account_id: 'a',
    tenant_id: 'TJ0000000B',
    currency: 'USD',
    billing_mode: 'postpaid',
  };
  const get = {
    path: '/v1/things/0b9f5c52-6f0e-4a57-9d1d-6a3a8f6f0c11',
    // Signed anew for each round: it lives half a minute.
    get headers() {
      return { [callerHeader]: createCallerSigner('x'.repeat(32))('x', caller) };
    },
  };
  const services = await cpuPerRequest([
    { name: 'bare', target: bareExpress, request: get },
    { name: 'service', target: service, request: get },
  ]);
  for (const target of [bareExpress, service]) target.stop();

  const ratio = (values, of) => values.get(of) / values.get('bare');
  const row = (values, of, label) => ({
    what: label,
    'CPU µs/request': +values.get(of).toFixed(1),
    ratio: +ratio(values, of).toFixed(2),
  });
  return {
    name,
    rows: [
      row(proxies, 'bare', 'bare undici proxy, no authentication'),
      row(proxies, 'gateway', 'gateway'),
      row(proxies, 'express', 'the proxy behind express + passport'),
      row(services, 'bare', 'bare express handler'),
      row(services, 'service', 'authenticated GET of a service'),
    ],
    goals: [
      {
        goal: 'gateway ≤ 1.5 × the bare proxy',
        measured: +ratio(proxies, 'gateway').toFixed(2),
        met: ratio(proxies, 'gateway') <= 1.5,
      },
      {
        goal: 'service GET ≤ 1.3 × the bare express handler',
        measured: +ratio(services, 'service').toFixed(2),
        met: ratio(services, 'service') <= 1.3,
      },
    ],
  };
}
