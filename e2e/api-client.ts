export type Json = Record<string, string> & { selected?: object; count?: number };

/** What a test needs to act as the operator and as accounts. */
export interface ApiAddresses {
  url: string;
  operatorUrl: string;
  operatorToken: string;
}

export type Ask = (method: string, path: string, body?: object) => Promise<Response>;

export function operatorOf({ operatorUrl, operatorToken }: ApiAddresses): Ask {
  return asker(`${operatorUrl}/operator/v1/`, `Bearer ${operatorToken}`);
}

/** A new account with one key. */
export async function newAccount(addresses: ApiAddresses): Promise<{ account: Json; key: Json; api: Ask }> {
  const operator = operatorOf(addresses);
  const account = await recordOf(
    await operator('POST', 'accounts', { name: 'Acme', email: 'ops@acme.example' }),
  );
  const key = await recordOf(await operator('POST', `accounts/${account.id}/keys`));
  const authorization = `Basic ${Buffer.from(`${key.auth_id}:${key.auth_token}`).toString('base64')}`;
  return { account, key, api: asker(`${addresses.url}/v1/`, authorization) };
}

export async function recordOf(response: Response): Promise<Json> {
  return (await response.json()) as Json;
}

function asker(base: string, authorization: string): Ask {
  return (method, path, body) =>
    fetch(base + path, {
      method,
      headers: { authorization, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
}
