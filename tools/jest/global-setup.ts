import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { startEmbeddedPostgres } from '../../packages/embedded/src/postgres';

/** One PostgreSQL for the whole run; every test file clones the migrated template (packages/testing). */
export default async function globalSetup(): Promise<void> {
  if (process.env.TEST_DATABASE_URL) return;
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'trunkline-test-'));
  fs.chmodSync(dataDir, 0o755);
  const postgres = await startEmbeddedPostgres({
    dataDir: path.join(dataDir, 'postgres'),
    flags: ['-c', 'fsync=off', '-c', 'synchronous_commit=off', '-c', 'full_page_writes=off'],
  });
  process.env.TEST_DATABASE_URL = postgres.url;
  (globalThis as { stopTestPostgres?: () => Promise<void> }).stopTestPostgres = async () => {
    await postgres.stop();
    fs.rmSync(dataDir, { recursive: true, force: true });
  };
}
