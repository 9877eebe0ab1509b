import pg from 'pg';
import type { RelayOptions, SqlClient } from '../src/index.js';

/** The part of a Prisma client that this package needs, straight on `pg`: packages have no Prisma client of their own. */
export type PgSqlClient = RelayOptions['db'] & { close(): Promise<void> };

export function openPgSqlClient(url: string, schema: string): PgSqlClient {
  const pool = new pg.Pool({ connectionString: url, options: `-c search_path=${schema}` });
  return {
    ...sqlOn(pool),
    async $transaction(work) {
      const client = await pool.connect();
      try {
        await client.query('begin');
        const result = await work(sqlOn(client));
        await client.query('commit');
        return result;
      } catch (error) {
        await client.query('rollback');
        throw error;
      } finally {
        client.release();
      }
    },
    close: () => pool.end(),
  };
}

function sqlOn(target: pg.Pool | pg.PoolClient): SqlClient {
  const run = (query: TemplateStringsArray, values: unknown[]) =>
    target.query(
      query.reduce((text, part, n) => `${text}$${n}${part}`),
      values,
    );
  return {
    $executeRaw: async (query, ...values) => (await run(query, values)).rowCount ?? 0,
    $queryRaw: async <T>(query: TemplateStringsArray, ...values: unknown[]) =>
      (await run(query, values)).rows as T,
  };
}
