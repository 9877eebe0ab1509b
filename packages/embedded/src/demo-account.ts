import fs from 'node:fs';
import path from 'node:path';
import { writeDurably } from './secrets-file.js';

/** What `.data/demo.env` holds (decisions 15). */
export interface DemoAccount {
  TRUNKLINE_URL: string;
  TRUNKLINE_AUTH_ID: string;
  TRUNKLINE_AUTH_TOKEN: string;
  TRUNKLINE_TENANT_ID: string;
  TRUNKLINE_ACCOUNT_ID: string;
  TRUNKLINE_OPERATOR_URL: string;
  TRUNKLINE_OPERATOR_TOKEN: string;
}

interface Addresses {
  url: string;
  operatorUrl: string;
  operatorToken: string;
}

const DEMO = {
  name: 'Demo',
  email: 'demo@trunkline.example',
  billing_mode: 'postpaid',
  currency: 'USD',
  base_limit: 10,
};

/** Makes the demo account once, through the operator API like anybody else; later starts keep it. */
export async function ensureDemoAccount(
  dataDir: string,
  { url, operatorUrl, operatorToken }: Addresses,
): Promise<DemoAccount> {
  const file = path.join(dataDir, 'demo.env');
  const known = fs.existsSync(file)
    ? parse(fs.readFileSync(file, 'utf8'))
    : await create(operatorUrl, operatorToken);
  const demo = {
    ...known,
    TRUNKLINE_URL: url,
    TRUNKLINE_OPERATOR_URL: operatorUrl,
    TRUNKLINE_OPERATOR_TOKEN: operatorToken,
  } as DemoAccount;
  writeDurably(
    file,
    Object.entries(demo)
      .map(([name, value]) => `${name}=${value}\n`)
      .join(''),
  );
  return demo;
}

/** The Idempotency-Keys make a start that was killed in the middle end in one account and one key. */
async function create(operatorUrl: string, token: string): Promise<Partial<DemoAccount>> {
  const post = async (what: string, path: string, body?: object) => {
    const response = await fetch(`${operatorUrl}/operator/v1/${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'idempotency-key': `demo-${what}`,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!response.ok)
      throw new Error(`The demo ${what} could not be made: ${response.status} ${await response.text()}`);
    return (await response.json()) as Record<string, string>;
  };
  const account = await post('account', 'accounts', DEMO);
  const key = await post('key', `accounts/${account.id}/keys`);
  return {
    TRUNKLINE_AUTH_ID: key.auth_id ?? '',
    TRUNKLINE_AUTH_TOKEN: key.auth_token ?? '',
    TRUNKLINE_TENANT_ID: account.tenant_id ?? '',
    TRUNKLINE_ACCOUNT_ID: account.id ?? '',
  };
}

function parse(text: string): Partial<DemoAccount> {
  return Object.fromEntries(
    text
      .split('\n')
      .filter((line) => line.includes('='))
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
}
