import pino, { type DestinationStream, type Logger } from 'pino';

/** Keys whose values never reach a log line, at the top and one and two levels down. */
const SECRET_KEYS = ['password', 'auth_password', 'auth_token', 'token', 'secret', 'authorization', 'code', 'otp', 'databaseUrl', 'encryptionKeys', 'callerSecret'];
const SECRET_PATHS = SECRET_KEYS.flatMap((key) => [key, `*.${key}`, `*.*.${key}`]).filter((path) => !['code', '*.code'].includes(path));

/** JSON lines on standard output unless another destination is given. */
export function createLogger(options: { level: string; service: string; destination?: DestinationStream }): Logger {
  return pino(
    {
      level: options.level,
      base: { service: options.service },
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths: SECRET_PATHS, censor: '[redacted]' },
      serializers: { error: pino.stdSerializers.err },
    },
    options.destination ?? pino.destination({ fd: 1, sync: false }),
  );
}

export type { Logger };
