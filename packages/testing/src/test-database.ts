import { createHash, randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { applyMigrations } from '@trunkline/database';

export interface TestDatabase {
  url: string;
  drop(): Promise<void>;
}

interface Schema {
  schema: string;
  migrationsDir: string;
}

/** Serialises the making of templates between test workers. */
const TEMPLATE_LOCK = 4_711_001;

/** A database of its own for a test file: a clone (some 30 ms) of a template that is migrated once per run. */
export async function createTestDatabase(...schemas: Schema[]): Promise<TestDatabase> {
  const server = process.env.TEST_DATABASE_URL;
  if (!server) throw new Error('TEST_DATABASE_URL is not set: run the tests with "pnpm test".');
  const template = `template_${keyOf(schemas)}`;
  const name = `test_${randomBytes(8).toString('hex')}`;
  await withClient(server, async (client) => {
    await client.query('select pg_advisory_lock($1)', [TEMPLATE_LOCK]);
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [template]);
    if (!rowCount) await makeTemplate(client, server, template, schemas);
    await client.query(`create database ${name} template ${template}`);
  });
  return {
    url: urlOf(server, name),
    drop: () =>
      withClient(
        server,
        async (client) => void (await client.query(`drop database if exists ${name} with (force)`)),
      ),
  };
}

async function makeTemplate(
  client: pg.Client,
  server: string,
  template: string,
  schemas: Schema[],
): Promise<void> {
  const draft = `draft_${randomBytes(8).toString('hex')}`;
  await client.query(`create database ${draft}`);
  for (const { schema, migrationsDir } of schemas)
    await applyMigrations({ url: urlOf(server, draft), schema, dir: migrationsDir });
  await client.query(`alter database ${draft} rename to ${template}`);
}

function keyOf(schemas: Schema[]): string {
  const hash = createHash('sha256');
  for (const { schema, migrationsDir } of schemas) {
    hash.update(schema);
    for (const name of fs.readdirSync(migrationsDir).sort()) {
      const file = path.join(migrationsDir, name, 'migration.sql');
      if (fs.existsSync(file)) hash.update(name).update(fs.readFileSync(file));
    }
  }
  return hash.digest('hex').slice(0, 16);
}

function urlOf(server: string, database: string): string {
  const url = new URL(server);
  url.pathname = `/${database}`;
  return url.href;
}

async function withClient(url: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
