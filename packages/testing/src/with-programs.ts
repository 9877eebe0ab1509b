import fs from 'node:fs';
import path from 'node:path';

/** Where Debian puts daemons, which is not in every user's PATH. */
const DAEMON_FOLDERS = ['/usr/sbin', '/usr/local/sbin'];

/** The absolute path of an installed program, or undefined. */
export function findProgram(name: string): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(path.delimiter), ...DAEMON_FOLDERS];
  return folders.map((folder) => path.join(folder, name)).find((file) => fs.existsSync(file));
}

/**
 * `describe` when every program is installed. Elsewhere a plain line says what is skipped; in CI, where `.ci/run` installs them, a
 * missing program is a failure.
 */
export function withPrograms(...programs: string[]): jest.Describe {
  const missing = programs.filter((program) => findProgram(program) === undefined);
  if (!missing.length) return describe;
  if (process.env.CI) throw new Error(`CI needs ${missing.join(', ')}; .ci/run must install it.`);
  process.stderr.write(`skipped: needs ${missing.join(', ')}\n`);
  return describe.skip;
}
