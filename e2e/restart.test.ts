import fs from 'node:fs';
import path from 'node:path';
import {
  basic,
  killPostgres,
  newDataDir,
  startPlatformProcess,
  type PlatformProcess,
} from './platform-process.js';

jest.setTimeout(240_000);

let dataDir: string;
let platform: PlatformProcess | undefined;
beforeEach(() => {
  dataDir = newDataDir();
});
afterEach(async () => {
  await platform?.stop();
  platform = undefined;
  fs.rmSync(path.dirname(dataDir), { recursive: true, force: true });
});

const list = async ({ env }: PlatformProcess) => {
  const response = await fetch(`${env.TRUNKLINE_URL}/v1/carriers`, {
    headers: { authorization: basic(env) },
  });
  expect(response.status).toBe(200);
  return (await response.json()) as { id: string; name: string }[];
};

/** Creates carriers as fast as they are answered until the platform is gone; answers the names that got a 201. */
async function createUntilGone({ env }: PlatformProcess, prefix: string): Promise<string[]> {
  const accepted: string[] = [];
  const writer = async (n: number) => {
    for (let i = 0; ; i++) {
      const name = `${prefix}-${n}-${i}`;
      const body = JSON.stringify({ name, sip_host: 'up.sandbox.invalid' });
      const headers = {
        authorization: basic(env),
        'content-type': 'application/json',
        'idempotency-key': name,
      };
      const response = await fetch(`${env.TRUNKLINE_URL}/v1/carriers`, {
        method: 'POST',
        headers,
        body,
      }).catch(() => undefined);
      if (!response) return;
      if (response.status === 201) accepted.push(name);
    }
  };
  await Promise.all([0, 1, 2, 3].map(writer));
  return accepted;
}

test('a second start on the same directory keeps the account, the key and the data', async () => {
  platform = await startPlatformProcess(dataDir);
  const first = platform.env;
  expect(platform.printed()).toContain(first.TRUNKLINE_AUTH_ID);
  expect((await fetch(`${first.TRUNKLINE_OPERATOR_URL}/readyz`)).status).toBe(200);
  const body = JSON.stringify({ name: 'Kept', sip_host: 'up.sandbox.invalid' });
  const headers = { authorization: basic(first), 'content-type': 'application/json' };
  expect((await fetch(`${first.TRUNKLINE_URL}/v1/carriers`, { method: 'POST', headers, body })).status).toBe(
    201,
  );
  expect(await platform.stop()).toBe(0);

  platform = await startPlatformProcess(dataDir);
  const { TRUNKLINE_URL: _url, TRUNKLINE_OPERATOR_URL: _operator, ...kept } = platform.env;
  expect(first).toMatchObject(kept);
  expect((await list(platform)).map(({ name }) => name)).toEqual(['Kept']);
});

test('a second platform on a directory in use says so and harms nothing', async () => {
  platform = await startPlatformProcess(dataDir);
  await expect(startPlatformProcess(dataDir)).rejects.toThrow(/already running on this data directory/);
  expect(await list(platform)).toEqual([]);
});

test('killed at any moment, with or without its database, it comes up by itself with everything that was answered 201', async () => {
  const accepted: string[] = [];
  for (let round = 0; round < 4; round++) {
    platform = await startPlatformProcess(dataDir);
    const writing = createUntilGone(platform, `round${round}`);
    await new Promise((resolve) => setTimeout(resolve, 300 + round * 333));
    if (round % 2) killPostgres(dataDir);
    await platform.kill();
    accepted.push(...(await writing));
  }
  platform = await startPlatformProcess(dataDir);
  const names = new Set((await list(platform)).map(({ name }) => name));
  expect(accepted.length).toBeGreaterThan(20);
  expect(accepted.filter((name) => !names.has(name))).toEqual([]);
});
