import { eventually, withPrograms } from '@trunkline/testing';
import { newAccount, operatorOf, recordOf, type ApiAddresses, type Json } from './api-client.js';
import { exitOf, startSeparatePlatform, type SeparatePlatform } from './separate-platform.js';

jest.setTimeout(120_000);

withPrograms('nats-server')('services as separate processes over NATS, in live mode', () => {
  let platform: SeparatePlatform;
  let addresses: ApiAddresses;
  beforeAll(async () => {
    platform = await startSeparatePlatform({ services: ['accounts', 'carriers'] });
    const { gateway = '', operator = '' } = platform.urls;
    addresses = { url: gateway, operatorUrl: operator, operatorToken: platform.operatorToken };
  });
  afterAll(() => platform?.stop());

  test('a carrier is brought, routed over and explained', async () => {
    const { key, api } = await newAccount(addresses);
    const carrier = await recordOf(
      await api('POST', 'carriers', { name: 'One', sip_host: 'carrier.example' }),
    );
    expect((await api('POST', `carriers/${carrier.id}/routes`, { prefix: '+1' })).status).toBe(201);
    await eventually(async () => {
      const asked = { auth_id: key.auth_id, to: '+14155550100' };
      const preview = await recordOf(await operatorOf(addresses)('POST', 'routing/preview', asked));
      expect(preview.selected).toMatchObject({ carrier_id: carrier.id, decision: 'selected' });
    }, 2_000);
  });

  test('a revoked key and a suspended account are out within a second', async () => {
    const { account, key, api } = await newAccount(addresses);
    const operator = operatorOf(addresses);
    expect((await api('GET', 'carriers')).status).toBe(200);
    await operator('PATCH', `accounts/${account.id}`, { status: 'suspended' });
    await eventually(async () => expect((await api('GET', 'carriers')).status).toBe(403), 1_000);
    await operator('PATCH', `accounts/${account.id}`, { status: 'active' });
    await eventually(async () => expect((await api('GET', 'carriers')).status).toBe(200), 1_000);
    await operator('DELETE', `keys/${key.auth_id}`);
    await eventually(async () => expect((await api('GET', 'carriers')).status).toBe(401), 1_000);
  });

  test('live mode has no sandbox and does not contact loopback addresses', async () => {
    const { api } = await newAccount(addresses);
    const url = { name: 'x', sip_host: 'x.example', health_check_url: 'http://127.0.0.1:1/' };
    expect((await api('POST', 'carriers', url)).status).toBe(400);
    const carrier = await recordOf(
      await api('POST', 'carriers', { name: 'Loopback', sip_host: '127.0.0.1' }),
    );
    await eventually(async () => {
      const [probe] = (await (await api('GET', `carriers/${carrier.id}/health`)).json()) as Json[];
      expect(probe).toMatchObject({ status: 'unhealthy', error_message: 'blocked_address' });
    });
  });

  test('a service without its secrets refuses to start and names what is missing', async () => {
    const child = platform.run('accounts', { DATABASE_URL: platform.databaseUrl });
    let said = '';
    child.stdout?.on('data', (chunk: Buffer) => (said += chunk.toString()));
    expect(await exitOf(child)).toBe(1);
    expect(said).toContain('CALLER_SECRET is required');
    expect(said).toContain('ENCRYPTION_KEYS is required');
  });

  test('SIGTERM: not ready first, then every request in flight is answered, then exit code 0', async () => {
    const { api } = await newAccount(addresses);
    const carriers = platform.processOf('carriers');
    const asking = Array.from({ length: 20 }, async () => (await api('GET', 'carriers')).status);
    const ended = exitOf(carriers);
    carriers.kill('SIGTERM');
    await eventually(
      async () => expect((await fetch(`${platform.internalUrls.carriers}/readyz`)).status).toBe(503),
      1_000,
    );
    expect(new Set(await Promise.all(asking))).toEqual(new Set([200]));
    expect(await ended).toBe(0);
    const gone = await api('GET', 'carriers');
    expect(gone.status).toBe(503);
    expect(gone.headers.get('retry-after')).toBe('1');
  });
});
