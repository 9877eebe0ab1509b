import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

export const root = path.resolve(__dirname, '..');

/** `pnpm start` as a process of its own, on free ports and a data directory of its own. */
export interface PlatformProcess {
  env: Record<string, string>;
  printed(): string;
  /** As a crash would end it: nothing is told, nothing is flushed. */
  kill(): Promise<void>;
  /** As Ctrl-C would. */
  stop(): Promise<number | null>;
}

export function newDataDir(): string {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'trunkline-e2e-'));
  fs.chmodSync(dir, 0o755);
  return path.join(dir, 'data');
}

export async function startPlatformProcess(
  dataDir: string,
  environment: Record<string, string> = {},
): Promise<PlatformProcess> {
  const child = spawn(process.execPath, ['tools/start.mjs'], {
    cwd: root,
    env: {
      ...withoutJest(process.env),
      PORT: '0',
      OPERATOR_PORT: '0',
      ...environment,
      TRUNKLINE_DATA_DIR: dataDir,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (text += chunk.toString()));
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  await untilReady(child, () => text);
  return {
    env: readEnv(path.join(dataDir, 'demo.env')),
    printed: () => text,
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
    stop() {
      child.kill('SIGINT');
      return exited;
    },
  };
}

async function untilReady(child: ChildProcess, printed: () => string): Promise<void> {
  const deadline = Date.now() + 120_000;
  while (!printed().includes('Trunkline is ready')) {
    if (child.exitCode !== null || Date.now() > deadline)
      throw new Error(`the platform did not start:\n${printed()}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Jest's own NODE_ENV and the test database are not the platform's. */
function withoutJest(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { NODE_ENV: _nodeEnv, DATABASE_URL: _url, NATS_URL: _nats, ...rest } = environment;
  return rest;
}

export function readEnv(file: string): Record<string, string> {
  const lines = fs.readFileSync(file, 'utf8').trim().split('\n');
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
}

/** Ends the PostgreSQL of a data directory the hard way. */
export function killPostgres(dataDir: string): void {
  const pid = Number(
    fs.readFileSync(path.join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0],
  );
  const children = spawnSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' })
    .stdout.split('\n')
    .map(Number)
    .filter(Boolean);
  for (const each of [pid, ...children]) process.kill(each, 'SIGKILL');
}

export function basic(env: Record<string, string>): string {
  return `Basic ${Buffer.from(`${env.TRUNKLINE_AUTH_ID}:${env.TRUNKLINE_AUTH_TOKEN}`).toString('base64')}`;
}
