import { invalid } from '@trunkline/errors';
import { checkUserUrl } from '@trunkline/outbound-http';
import type { Deps } from '../deps.js';

/** Refuses a URL that deliveries could never go to. Whether its address may be contacted is judged on every attempt. */
export function checkReceiver(
  { allowHttpOnLoopback }: Pick<Deps, 'allowHttpOnLoopback'>,
  url: string | undefined,
): void {
  const refusal = url === undefined ? undefined : checkUserUrl(url, { allowHttpOnLoopback });
  if (refusal) throw invalid([{ field: 'url', message: `url ${refusal}` }]);
}
