import { spawnSync } from 'node:child_process';

/**
 * `describe` when every program is installed. Elsewhere it says in a plain line what is skipped; in CI a missing program is a failure.
 */
export function withPrograms(...programs: string[]): jest.Describe {
  const missing = programs.filter((program) => spawnSync('sh', ['-c', `command -v ${program}`]).status !== 0);
  if (!missing.length) return describe;
  if (process.env.CI) throw new Error(`CI needs ${missing.join(', ')}; .ci/run must install it.`);
  console.warn(`skipped: needs ${missing.join(', ')}`);
  return describe.skip;
}
