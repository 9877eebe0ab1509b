import pg from 'pg';

const RUNNING = 4_711_002;

/** One platform per data directory: a lock that PostgreSQL frees by itself when the process dies, however it dies. */
export async function lockDataDirectory(databaseUrl: string): Promise<{ release(): Promise<void> }> {
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'trunkline-lock' });
  client.on('error', () => undefined);
  await client.connect();
  for (let attempt = 0; attempt < 20; attempt++) {
    const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [
      RUNNING,
    ]);
    if (rows[0]?.locked) return { release: () => client.end() };
    await new Promise((resolve) => setTimeout(resolve, 100)); // a killed predecessor's connection is just being closed
  }
  await client.end();
  throw new Error(
    'Trunkline is already running on this data directory. Stop it first, or set TRUNKLINE_DATA_DIR to another one.',
  );
}
