import http from 'node:http';
import { accountsContract } from '@trunkline/contracts';
import { digestOf } from '@trunkline/secrets';
import { eventually } from '@trunkline/testing';
import { basic, OPERATOR_TOKEN, startGateway, TOKEN, type GatewayUnderTest } from './gateway-harness.js';

let gateway: GatewayUnderTest;
let authId: string;
beforeAll(async () => {
  gateway = await startGateway();
  authId = gateway.addKey('TJ0000000A');
});
afterAll(() => gateway.stop());

const error = async (response: Response) =>
  ((await response.json()) as { error: { code: string; message: string; request_id: string } }).error;

describe('HTTP Basic', () => {
  test('a valid pair comes in, and the service learns who it is', async () => {
    const response = await gateway.get(authId, '/v1/things');
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({
      caller: { kind: 'account', auth_id: authId, tenant_id: 'TJ0000FFFF', currency: 'USD' },
    });
  });

  test.each([
    ['no header', undefined],
    ['an unknown Auth ID', basic('TJ0000000B', TOKEN)],
    ['a wrong token', basic('TJ0000000A', TOKEN.replace('0', '1'))],
    ['a longer token', basic('TJ0000000A', `${TOKEN}0`)],
    ['a token followed by a colon and more', basic('TJ0000000A', `${TOKEN}:x`)],
    ['an Auth ID in lower case', basic('tj0000000a', TOKEN)],
    ['an Auth ID of another form', basic('TJ0000000A0', TOKEN)],
    ['an empty token', basic('TJ0000000A', '')],
    ['another scheme', `Bearer ${TOKEN}`],
    ['a scheme that only contains Basic', basic('TJ0000000A', TOKEN).replace('Basic', 'NotBasic')],
    ['something that is not base64', 'Basic ***'],
    ['only the scheme', 'Basic'],
    ['junk behind the credentials', `${basic('TJ0000000A', TOKEN)} x`],
    ['the operator token', `Bearer ${OPERATOR_TOKEN}`],
  ])('%s is 401 INVALID_CREDENTIALS', async (_what, authorization) => {
    const response = await fetch(`${gateway.url}/v1/things`, {
      headers: authorization === undefined ? {} : { authorization },
    });
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toContain('Basic');
    expect(await error(response)).toMatchObject({ code: 'INVALID_CREDENTIALS' });
  });

  test('a suspended account is 403 ACCOUNT_SUSPENDED, but only with the right token', async () => {
    const suspended = gateway.addKey('TJ0000000C', { account_status: 'suspended' });
    expect(await error(await gateway.get(suspended, '/v1/things'))).toMatchObject({
      code: 'ACCOUNT_SUSPENDED',
    });
    const guess = await fetch(`${gateway.url}/v1/things`, {
      headers: { authorization: basic(suspended, 'f'.repeat(32)) },
    });
    expect(guess.status).toBe(401);
  });

  test('the Auth ID in the path must be the own one', async () => {
    const other = gateway.addKey('TJ0000000D');
    expect((await gateway.get(authId, `/v1/account/${authId}/things/7`)).status).toBe(200);
    for (const path of [
      `/v1/account/${other}/things/7`,
      '/v1/account/nonsense/things/7',
      `/v1/account/${authId.toLowerCase()}/things/7`,
    ]) {
      const response = await gateway.get(authId, path);
      expect(response.status).toBe(403);
      expect(await error(response)).toMatchObject({ code: 'FORBIDDEN' });
    }
  });

  test('X-Tenant-ID may be absent or the own tenant, nothing else', async () => {
    const withTenant = (tenant: string) =>
      gateway.get(authId, '/v1/things', { headers: { 'x-tenant-id': tenant } });
    expect((await withTenant('TJ0000FFFF')).status).toBe(200);
    expect((await withTenant('TJ00001111')).status).toBe(403);
    expect((await withTenant('')).status).toBe(403);
  });

  test('a caller header from outside never reaches a service, and credentials stay at the gateway', async () => {
    const response = await gateway.get(authId, '/v1/things', { headers: { 'x-trunkline-caller': 'forged' } });
    expect(response.status).toBe(200);
    expect(gateway.logged()).not.toContain(TOKEN);
    expect(gateway.logged()).not.toContain(basic(authId, TOKEN).slice(6));
  });
});

describe('revocation and suspension', () => {
  const until = async (status: number, ask: () => Promise<Response>) => {
    const started = performance.now();
    await eventually(async () => expect((await ask()).status).toBe(status), 3_000);
    return performance.now() - started;
  };

  test('a revoked key is refused within a second, even when the broadcast is lost', async () => {
    const key = gateway.addKey('TJ000000A1');
    expect((await gateway.get(key, '/v1/things')).status).toBe(200);
    gateway.keys.delete(key);
    expect(await until(401, () => gateway.get(key, '/v1/things'))).toBeLessThan(1_050);
  });

  test('with the broadcast it is refused at once', async () => {
    const key = gateway.addKey('TJ000000A2');
    expect((await gateway.get(key, '/v1/things')).status).toBe(200);
    gateway.keys.delete(key);
    gateway.rpc.broadcast(accountsContract.keysChanged, { auth_ids: [key] });
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect((await gateway.get(key, '/v1/things')).status).toBe(401);
  });

  test('a suspended account and a rotated token are refused within a second; the new token works', async () => {
    const key = gateway.addKey('TJ000000A3');
    expect((await gateway.get(key, '/v1/things')).status).toBe(200);
    gateway.addKey(key, { account_status: 'suspended' });
    expect(await until(403, () => gateway.get(key, '/v1/things'))).toBeLessThan(1_050);
    gateway.addKey(key, { token_digest: digestOf('e'.repeat(32)).toString('hex') });
    expect(await until(401, () => gateway.get(key, '/v1/things'))).toBeLessThan(1_050);
    const rotated = await fetch(`${gateway.url}/v1/things`, {
      headers: { authorization: basic(key, 'e'.repeat(32)) },
    });
    expect(rotated.status).toBe(200);
  });

  test('a new key works at once, also when it was asked for before it existed', async () => {
    const key = 'TJ000000A4';
    expect((await gateway.get(key, '/v1/things')).status).toBe(401);
    gateway.addKey(key);
    expect(await until(200, () => gateway.get(key, '/v1/things'))).toBeLessThan(1_050);
  });

  test('a key in use costs the accounts service a few questions a second, however many requests it makes', async () => {
    const key = gateway.addKey('TJ000000A5');
    const before = gateway.asked();
    const started = performance.now();
    for (let i = 0; i < 300; i++)
      await gateway.get(key, '/v1/things').then((response) => response.arrayBuffer());
    const seconds = (performance.now() - started) / 1_000;
    expect(gateway.asked() - before).toBeLessThan(3 + seconds * 4);
  });

  test('500 unknown Auth IDs at once are looked up together', async () => {
    const before = gateway.asked();
    const agent = new http.Agent({ maxSockets: 500 });
    const ask = (i: number) =>
      new Promise<number | undefined>((resolve, reject) => {
        const headers = { authorization: basic(`TJ10000${i.toString().padStart(3, '0')}`, TOKEN) };
        http
          .get(`${gateway.url}/v1/things`, { agent, headers }, (response) =>
            resolve(response.resume().statusCode),
          )
          .on('error', reject);
      });
    const statuses = await Promise.all(Array.from({ length: 500 }, (_, i) => ask(i)));
    agent.destroy();
    expect(new Set(statuses)).toEqual(new Set([401]));
    expect(gateway.asked() - before).toBeLessThan(250);
  });
});

describe('the operator port', () => {
  const operator = (path: string, init: RequestInit = {}) =>
    fetch(`${gateway.operatorUrl}${path}`, {
      method: 'POST',
      ...init,
      headers: { authorization: `Bearer ${OPERATOR_TOKEN}`, ...init.headers },
    });

  test('takes the operator token and nothing else', async () => {
    expect((await operator('/operator/v1/things')).status).toBe(201);
    for (const authorization of ['Bearer wrong', basic(authId, TOKEN), '']) {
      expect((await operator('/operator/v1/things', { headers: { authorization } })).status).toBe(401);
    }
  });

  test('the two doors never lead to each other', async () => {
    expect((await operator('/v1/things')).status).toBe(404);
    expect((await gateway.get(authId, '/operator/v1/things', { method: 'POST' })).status).toBe(404);
  });

  test('is ready while keys can be looked up', async () => {
    expect((await fetch(`${gateway.operatorUrl}/readyz`)).status).toBe(200);
  });
});
