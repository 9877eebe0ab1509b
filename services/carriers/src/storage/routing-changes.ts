import type { Db, PrismaClient } from './database.js';

const ACCOUNT_SCOPE = 'account:';

/** The account whose default-carrier switches a scope is of; undefined when the scope is an owner. */
export function accountOfScope(scope: string): string | undefined {
  return scope.startsWith(ACCOUNT_SCOPE) ? scope.slice(ACCOUNT_SCOPE.length) : undefined;
}

/**
 * Tells every replica's routing index whose routes changed, in the transaction that changed them: owners (`TJ…`, `platform`) or
 * `account:<account_id>` (its default-carrier switch).
 */
export async function recordRoutingChanges(db: Db, scopes: readonly string[]): Promise<void> {
  await db.$executeRaw`insert into routing_changes (scope) select unnest(${[...new Set(scopes)]}::text[])`;
}

/** Writes, and records the change in the same transaction. */
export async function changeRouting<T>(
  db: PrismaClient,
  scope: string,
  write: (transaction: Db) => Promise<T>,
): Promise<T> {
  return db.$transaction(async (transaction) => {
    const result = await write(transaction);
    await recordRoutingChanges(transaction, [scope]);
    return result;
  });
}

/** How far the feed was read. */
export interface FeedPosition {
  /** The `pg_snapshot` of the read: it tells exactly which transactions the reader has seen. */
  snapshot: string;
  /** The database's clock at the read. */
  readAt: string;
}

export interface FeedRead {
  /** What changed since the position read from. */
  scopes: string[];
  /** The position was too old (rows may have been pruned) or of another history (a restored database). */
  broken: boolean;
  position: FeedPosition;
}

/** Where a reader starts that loads everything afterwards. */
export async function findFeedPosition(db: Db): Promise<FeedPosition> {
  const [position] = await db.$queryRaw<FeedPosition[]>`
    select pg_current_snapshot()::text as snapshot, now()::text as "readAt"`;
  return position!;
}

/**
 * The changes that a reader at `position` has not seen. A sequence could not tell: transactions commit out of order.
 * A snapshot can: unseen are the rows whose transaction was still running, or had not begun, when it was taken.
 */
export async function readFeed(db: Db, position: FeedPosition): Promise<FeedRead> {
  const [read] = await db.$queryRaw<(FeedPosition & { scopes: string[]; broken: boolean })[]>`
    select pg_current_snapshot()::text as snapshot,
      now()::text as "readAt",
      now() - ${position.readAt}::timestamptz > interval '10 minutes'
        or pg_snapshot_xmin(pg_current_snapshot()) < pg_snapshot_xmin(${position.snapshot}::pg_snapshot) as broken,
      array(
        select distinct scope from routing_changes
        where txid >= pg_snapshot_xmin(${position.snapshot}::pg_snapshot)
          and not pg_visible_in_snapshot(txid, ${position.snapshot}::pg_snapshot)
      ) as scopes`;
  const { scopes, broken, ...next } = read!;
  return { scopes, broken, position: next };
}

/**
 * Deletes one batch of rows older than an hour. A reader that is more than ten minutes behind loads everything, so
 * nobody needs them, as long as no transaction that writes them stays open for fifty minutes.
 */
export async function pruneRoutingChanges(db: Db, limit: number): Promise<number> {
  return db.$executeRaw`
    delete from routing_changes where seq in (
      select seq from routing_changes where changed_at < now() - interval '1 hour'
      order by seq limit ${limit} for update skip locked)`;
}
