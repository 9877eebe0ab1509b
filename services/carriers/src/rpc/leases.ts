import type { Deps } from '../deps.js';
import { releaseLeases, renewLeases } from '../storage/channel-leases.js';

/** `carriers.renew`: only leases that are still alive are extended. */
export async function renew(
  { db, config }: Deps,
  request: { lease_ids: string[] },
): Promise<{ expires_at: string; lost: string[] }> {
  const { renewed, expiresAt } = await renewLeases(db, request.lease_ids, config.leaseSeconds);
  const kept = new Set(renewed);
  return {
    expires_at: expiresAt.toISOString(),
    lost: request.lease_ids.filter((id) => !kept.has(id.toLowerCase())),
  };
}

/** `carriers.release`: safe to repeat. */
export async function release({ db }: Deps, request: { lease_ids: string[] }): Promise<{ released: number }> {
  return { released: await releaseLeases(db, request.lease_ids) };
}
