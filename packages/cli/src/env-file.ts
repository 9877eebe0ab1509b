import fs from 'node:fs';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { SettingsError } from './cli-error.js';

export type EnvValues = Readonly<Record<string, string | undefined>>;

/** The variables of a file of `NAME=value` lines. */
export function readEnvFile(file: string): EnvValues {
  try {
    return parseEnv(fs.readFileSync(file, 'utf8'));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new SettingsError(`cannot read ${file}: ${code === 'ENOENT' ? 'there is no such file' : message}`);
  }
}

/** `<data directory>/demo.env` in the directory or the nearest one above it. */
export function findDemoEnvFile(from: string, dataDir: string): string | undefined {
  for (let dir = path.resolve(from); ; dir = path.dirname(dir)) {
    const file = path.resolve(dir, dataDir, 'demo.env');
    if (fs.existsSync(file)) return file;
    if (dir === path.dirname(dir)) return undefined;
  }
}
