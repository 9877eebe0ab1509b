import type { ApiClient } from '../api-client.js';
import type { Session } from '../session.js';

export interface WhoseCarriers {
  default?: boolean;
}

/** Both sides have the same sub-paths and bodies (decisions 14). `flag` goes into commands that are shown. */
export function carriersApi(
  session: Session,
  { default: isDefault }: WhoseCarriers,
): { api: ApiClient; path: string; flag: string } {
  if (isDefault)
    return { api: session.operator(), path: '/operator/v1/default-carriers', flag: ' --default' };
  const { api, authId } = session.account();
  return { api, path: `/v1/account/${authId}/carriers`, flag: '' };
}
