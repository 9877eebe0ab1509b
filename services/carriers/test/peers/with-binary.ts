import fs from 'node:fs';
import path from 'node:path';

/** Where Debian puts daemons, which is not in every user's PATH. */
const daemonFolders = ['/usr/sbin', '/usr/local/sbin'];

/** The absolute path of an installed program, or undefined. */
export function findBinary(name: string): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(path.delimiter), ...daemonFolders];
  return folders.map((folder) => path.join(folder, name)).find((file) => fs.existsSync(file));
}

/**
 * `describe` for tests against a real program. Without it they are skipped, and a line says so; in CI, where every
 * peer is installed, that is an error.
 */
export function withBinary(...names: string[]): jest.Describe {
  const missing = names.filter((name) => findBinary(name) === undefined);
  if (missing.length === 0) return describe;
  const message = `${missing.join(', ')} not installed`;
  if (process.env.CI) throw new Error(`${message}: CI runs every test against real peers`);
  process.stderr.write(`skipped: ${message} (apt-get install sip-tester kamailio kamailio-tls-modules)\n`);
  return describe.skip;
}
