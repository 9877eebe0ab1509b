import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createLogger } from '../src/index.js';

test('secrets never reach the log, however they get into a line', async () => {
  const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'log-')), 'log');
  const logger = createLogger({ level: 'info', service: 'test', file });
  logger.info(
    {
      password: 'p1',
      carrier: { auth_password: 'p2', nested: { auth_token: 'p3' } },
      headers: { authorization: 'p4' },
    },
    'x',
  );
  logger.info(
    {
      config: { databaseUrl: 'p5', encryptionKeys: 'p6', callerSecret: 'p7', operatorToken: 'p8' },
      secret: 'p9',
    },
    'x',
  );
  await pause(400);
  const text = fs.readFileSync(file, 'utf8');
  expect(text).not.toMatch(/"p\d"/);
  expect(text.match(/\[redacted\]/g)).toHaveLength(9);
  expect(fs.statSync(file).mode & 0o077).toBe(0);
});
