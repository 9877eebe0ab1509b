import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';

/** Random secrets of this data directory, made once. Only the embedded mode makes its own. */
export interface EmbeddedSecrets {
  OPERATOR_TOKEN: string;
  CALLER_SECRET: string;
  ENCRYPTION_KEYS: string;
}

export function loadSecrets(dataDir: string): EmbeddedSecrets {
  const file = path.join(dataDir, 'secrets.json');
  if (fs.existsSync(file)) return JSON.parse(fs.readFileSync(file, 'utf8')) as EmbeddedSecrets;
  const secrets: EmbeddedSecrets = {
    OPERATOR_TOKEN: `op_${randomBytes(24).toString('hex')}`,
    CALLER_SECRET: randomBytes(32).toString('hex'),
    ENCRYPTION_KEYS: `embedded:${randomBytes(32).toString('base64')}`,
  };
  writeDurably(file, JSON.stringify(secrets, null, 2));
  return secrets;
}

/** Whole or not at all, and on disk before it is relied on; readable by the owner only. */
export function writeDurably(file: string, text: string): void {
  const draft = `${file}.${process.pid}.draft`;
  const handle = fs.openSync(draft, 'w', 0o600);
  fs.writeSync(handle, text);
  fs.fsyncSync(handle);
  fs.closeSync(handle);
  fs.renameSync(draft, file);
}
