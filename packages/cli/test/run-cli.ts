import os from 'node:os';
import type { Io } from '../src/io.js';
import { run } from '../src/main.js';
import type { ScriptedApi } from './scripted-api.js';

export interface CliRun {
  status: number;
  stdout: string;
  stderr: string;
}

export interface CliSetup {
  env?: Record<string, string | undefined>;
  cwd?: string;
  stdin?: string;
  isTerminal?: boolean;
}

export const AUTH_ID = 'TJ4F2A9C1E';
export const AUTH_TOKEN = '9f86d081884c7d659a2feaa0c55ad015';
export const OPERATOR_TOKEN = 'op_7d659a2feaa0c55ad0159f86d081884c';
export const BASIC = `Basic ${Buffer.from(`${AUTH_ID}:${AUTH_TOKEN}`).toString('base64')}`;
export const BEARER = `Bearer ${OPERATOR_TOKEN}`;

/** All settings in the environment, with one server as both APIs. */
export function settingsFor({ url }: Pick<ScriptedApi, 'url'>) {
  return {
    TRUNKLINE_URL: url,
    TRUNKLINE_AUTH_ID: AUTH_ID,
    TRUNKLINE_AUTH_TOKEN: AUTH_TOKEN,
    TRUNKLINE_OPERATOR_URL: url,
    TRUNKLINE_OPERATOR_TOKEN: OPERATOR_TOKEN,
  };
}

/** Runs a command line; one space separates its arguments, or they come as an array. */
export async function runCli(line: string | string[], setup: CliSetup = {}): Promise<CliRun> {
  const { env = {}, cwd = os.tmpdir(), stdin = '', isTerminal = false } = setup;
  const written = { stdout: '', stderr: '' };
  const sink = (name: keyof typeof written) => ({
    write: (text: string) => (written[name] += text),
    isTTY: isTerminal,
    columns: 100,
  });
  const input = Object.assign(chunksOf(stdin), { isTTY: isTerminal });
  const io: Io = { stdout: sink('stdout'), stderr: sink('stderr'), stdin: input, env, cwd: () => cwd };
  const status = await run(typeof line === 'string' ? line.split(' ') : line, io);
  return { status, ...written };
}

async function* chunksOf(text: string): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  yield bytes.subarray(0, 3);
  yield bytes.subarray(3);
}
