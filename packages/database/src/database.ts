import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';

/** A service's own schema: where its migrations lie and how its generated Prisma client is made. */
export interface DatabaseDefinition<Client extends PrismaClientLike> {
  /** PostgreSQL schema, named as the service with `-` as `_`. */
  schema: string;
  /** Absolute path of `prisma/migrations`. */
  migrationsDir: string;
  createClient(adapter: PrismaPg): Client;
}

interface PrismaClientLike {
  $disconnect(): Promise<void>;
}

export interface Database<Client> {
  client: Client;
  /** Resolves when the database answers within two seconds; readiness asks it. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

const PING_TIMEOUT_MS = 2_000;

/** Connects lazily; connections broken by a restart of PostgreSQL are replaced by the pool. */
export function openDatabase<Client extends PrismaClientLike>(
  definition: DatabaseDefinition<Client>,
  options: { url: string; poolSize: number; onError?: (error: Error) => void },
): Database<Client> {
  const pool = new pg.Pool({
    connectionString: options.url,
    options: `-c search_path=${definition.schema}`,
    application_name: definition.schema,
    max: options.poolSize,
    idleTimeoutMillis: 30_000,
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
  });
  // Without a listener an idle connection that breaks would end the process.
  pool.on('error', (error) => options.onError?.(error));
  const client = definition.createClient(
    new PrismaPg(pool, { schema: definition.schema, disposeExternalPool: true }),
  );
  return {
    client,
    async ping() {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new Error('the database does not answer')), PING_TIMEOUT_MS);
      });
      await Promise.race([pool.query('select 1'), late]).finally(() => clearTimeout(timer));
    },
    close: () => client.$disconnect(),
  };
}
