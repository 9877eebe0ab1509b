import pino, { type Logger } from 'pino';

/** Keys whose values never reach a log line, at the top and one and two levels down. */
const SECRET_KEYS = [
  ...[
    'password',
    'auth_password',
    'authPassword',
    'auth_token',
    'authToken',
    'token',
    'secret',
    'authorization',
  ],
  ...['otp', 'databaseUrl', 'encryptionKeys', 'callerSecret', 'operatorToken'],
];
const SECRET_PATHS = SECRET_KEYS.flatMap((key) => [key, `*.${key}`, `*.*.${key}`]);

/** Lines are written together: at the latest after this, and when the process ends by itself. */
const FLUSH_MS = 200;

/** JSON lines on standard output, or appended to `file`. */
export function createLogger(options: { level: string; service: string; file?: string }): Logger {
  const destination = pino.destination({
    ...(options.file ? { dest: options.file, append: true, mode: 0o600 } : { fd: 1 }),
    sync: false,
    minLength: 4_096,
    periodicFlush: FLUSH_MS,
  });
  return pino(
    {
      level: options.level,
      base: { service: options.service },
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths: SECRET_PATHS, censor: '[redacted]' },
      serializers: { error: pino.stdSerializers.err },
    },
    destination,
  );
}

export type { Logger };
