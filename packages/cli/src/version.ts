import fs from 'node:fs';
import path from 'node:path';

/** The version in package.json, one directory above both src/ and dist/. */
export const VERSION = (
  JSON.parse(fs.readFileSync(path.join(__dirname, '../package.json'), 'utf8')) as { version: string }
).version;

export const USER_AGENT = `trunkline-cli/${VERSION}`;
