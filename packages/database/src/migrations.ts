import { createHash, randomUUID } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';

/** Prisma's own advisory lock: this applier and `prisma migrate deploy` never run at the same time. */
const MIGRATION_LOCK = 72707369;

const MIGRATIONS_TABLE = `create table if not exists _prisma_migrations (
  id varchar(36) primary key not null, checksum varchar(64) not null, finished_at timestamptz,
  migration_name varchar(255) not null, logs text, rolled_back_at timestamptz,
  started_at timestamptz not null default now(), applied_steps_count integer not null default 0)`;

/**
 * Applies `prisma/migrations/<name>/migration.sql` in order, each in a transaction of its own, keeping the books in Prisma's
 * `_prisma_migrations` table, so that the ordinary `prisma migrate status` agrees. Replicas that start together wait for each other.
 * @returns the names applied now
 * @throws when an applied migration was edited afterwards, or its SQL fails
 */
export async function applyMigrations(options: {
  url: string;
  schema: string;
  dir: string;
}): Promise<string[]> {
  const client = new pg.Client({
    connectionString: options.url,
    options: `-c search_path=${options.schema}`,
  });
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await client.query(`create schema if not exists ${client.escapeIdentifier(options.schema)}`);
    await client.query(MIGRATIONS_TABLE);
    const { rows } = await client.query<{
      migration_name: string;
      checksum: string;
      finished_at: Date | null;
    }>('select migration_name, checksum, finished_at from _prisma_migrations where rolled_back_at is null');
    const known = new Map(rows.map((row) => [row.migration_name, row]));
    const applied: string[] = [];
    for (const name of await migrationNames(options.dir)) {
      const sql = await fs.readFile(path.join(options.dir, name, 'migration.sql'), 'utf8');
      const checksum = createHash('sha256').update(sql).digest('hex');
      const row = known.get(name);
      if (row?.finished_at && row.checksum === checksum) continue;
      if (row?.finished_at)
        throw new Error(
          `Migration ${options.schema}/${name} was edited after it was applied; add a new one instead.`,
        );
      if (row)
        throw new Error(
          `Migration ${options.schema}/${name} failed earlier; see "logs" in ${options.schema}._prisma_migrations.`,
        );
      await applyOne(client, name, checksum, sql);
      applied.push(name);
    }
    return applied;
  } finally {
    await client.end();
  }
}

async function migrationNames(dir: string): Promise<string[]> {
  const entries = await fs.readdir(dir, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
}

/** All or nothing: a migration killed in the middle leaves no trace and runs again at the next start. */
async function applyOne(client: pg.Client, name: string, checksum: string, sql: string): Promise<void> {
  await client.query('begin');
  try {
    await client.query(sql);
    await client.query(
      `insert into _prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count) values ($1, $2, $3, now(), 1)`,
      [randomUUID(), checksum, name],
    );
    await client.query('commit');
  } catch (cause) {
    await client.query('rollback');
    throw new Error(`Migration ${name} failed: ${String(cause)}`, { cause });
  }
}
