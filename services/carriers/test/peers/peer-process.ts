import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { findProgram } from '@trunkline/testing';

export interface PeerProcess {
  /** Ends the process by its pid and resolves once it is gone; safe to call twice. */
  stop: () => Promise<void>;
}

const START_TIMEOUT_MS = 10_000;
const STOP_TIMEOUT_MS = 5_000;
const running = new Set<ChildProcess>();

// A test that fails half-way must not leave a peer behind.
process.on('exit', () => running.forEach((child) => child.kill('SIGTERM')));

/**
 * Starts a program in `folder`, which goes when the program does, and resolves when `isReady` says so; rejects with
 * its last output when it cannot start.
 */
export async function startPeerProcess(
  program: string,
  args: readonly string[],
  options: { folder: string; isReady: () => Promise<boolean> },
): Promise<PeerProcess> {
  const binary = findProgram(program);
  if (binary === undefined) throw new Error(`${program} is not installed`);

  const child = spawn(binary, args, { cwd: options.folder, stdio: ['ignore', 'ignore', 'pipe'] });
  running.add(child);
  child.once('exit', () => {
    running.delete(child);
    fs.rmSync(options.folder, { recursive: true, force: true });
  });
  let output = '';
  child.stderr.on('data', (chunk: Buffer) => (output = (output + chunk.toString()).slice(-4_000)));

  const deadline = Date.now() + START_TIMEOUT_MS;
  while (!(await options.isReady())) {
    if (hasEnded(child)) throw new Error(`${program} ended at its start:\n${output}`);
    if (Date.now() > deadline) {
      await stop(child);
      throw new Error(`${program} did not answer within ${START_TIMEOUT_MS} ms:\n${output}`);
    }
    await delay(20);
  }
  return { stop: () => stop(child) };
}

async function stop(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const lastResort = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
  await ended;
  clearTimeout(lastResort);
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}
