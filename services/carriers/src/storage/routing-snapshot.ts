import type { RoutingCarrier } from '../domain/routing/routing-carrier.js';
import type { RoutingRoute } from '../domain/routing/routing-route.js';
import { Prisma, type Db } from './database.js';

const EVERY = Prisma.sql`true`;

/** All active routes of one carrier, packed into one text: hundreds of thousands of rows would cost seconds. */
export interface PackedRoutes {
  /** Changes with the routes: see `findRouteFingerprints`. */
  fingerprint: bigint;
  /** A line a route: `id prefix priority currency rate`, without the rate where there is none. */
  lines: string;
}

/** The carriers of these owners as the routing decision sees them, by owner. */
export async function findRoutingCarriers(
  db: Db,
  owners: readonly string[] | 'all',
): Promise<Map<string, RoutingCarrier[]>> {
  const rows = await db.$queryRaw<(RoutingCarrier & { owner: string })[]>`
    select c.owner, c.id, c.status, coalesce(h.status, 'unknown') as "healthStatus",
      c.carrier_type as "carrierType", c.priority, c.weight, c.max_channels as "maxChannels"
    from carriers c left join carrier_health h on h.carrier_id = c.id
    where ${owners === 'all' ? EVERY : Prisma.sql`c.owner = any(${owners}::text[])`}`;
  const byOwner = new Map<string, RoutingCarrier[]>();
  for (const { owner, ...carrier } of rows) {
    const carriers = byOwner.get(owner);
    if (carriers) carriers.push(carrier);
    else byOwner.set(owner, [carrier]);
  }
  return byOwner;
}

/** By carrier of these owners, a number that changes with its active routes; one without routes is left out. */
export async function findRouteFingerprints(db: Db, owners: readonly string[]): Promise<Map<string, bigint>> {
  const rows = await db.$queryRaw<{ carrierId: string; fingerprint: bigint }[]>`
    select c.id as "carrierId", bit_xor(hash_record_extended(r, 0)) as fingerprint
    from carrier_routes r join carriers c on c.id = r.carrier_id
    where r.status = 'active' and c.owner = any(${owners}::text[])
    group by c.id`;
  return new Map(rows.map(({ carrierId, fingerprint }) => [carrierId, fingerprint]));
}

/** The active routes of these carriers, by carrier; one without routes is left out. */
export async function findPackedRoutes(
  db: Db,
  carrierIds: readonly string[] | 'all',
): Promise<Map<string, PackedRoutes>> {
  const rows = await db.$queryRaw<(PackedRoutes & { carrierId: string })[]>`
    select r.carrier_id as "carrierId", bit_xor(hash_record_extended(r, 0)) as fingerprint,
      string_agg(concat_ws(' ', r.id, r.prefix, r.priority, r.rate_currency, r.rate), E'\n') as lines
    from carrier_routes r
    where r.status = 'active' and ${carrierIds === 'all' ? EVERY : Prisma.sql`r.carrier_id = any(${carrierIds}::uuid[])`}
    group by r.carrier_id`;
  return new Map(rows.map(({ carrierId, ...packed }) => [carrierId, packed]));
}

const UUID_LENGTH = 36;

/** Packed routes, one at a time. By position: to split every line would take twice as long. */
export function* unpackRoutes(carrierId: string, { lines }: PackedRoutes): Generator<RoutingRoute> {
  for (let start = 0; start < lines.length;) {
    const newline = lines.indexOf('\n', start);
    const end = newline < 0 ? lines.length : newline;
    const prefix = start + UUID_LENGTH + 1;
    const priority = lines.indexOf(' ', prefix) + 1;
    const currency = lines.indexOf(' ', priority) + 1;
    const rate = currency + 'USD '.length;
    yield {
      id: lines.slice(start, prefix - 1),
      carrierId,
      prefix: lines.slice(prefix, priority - 1),
      priority: Number(lines.slice(priority, currency - 1)),
      rate: rate < end ? Number(lines.slice(rate, end)) : null,
      rateCurrency: lines.slice(currency, rate - 1),
    };
    start = end + 1;
  }
}

/** Those accounts for which the operator or the account itself has switched the default carriers off. */
export async function findAccountsWithoutDefaults(
  db: Db,
  accountIds: readonly string[] | 'all',
): Promise<string[]> {
  const asked = accountIds === 'all' ? EVERY : Prisma.sql`account_id = any(${accountIds}::uuid[])`;
  const rows = await db.$queryRaw<{ accountId: string }[]>`
    select account_id as "accountId" from default_carrier_settings
    where not (operator_enabled and account_enabled) and ${asked}`;
  return rows.map(({ accountId }) => accountId);
}
