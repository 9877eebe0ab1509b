import { CommanderError } from 'commander';
import { ApiError } from './api-error.js';
import { ConnectionError, NotReadyError, SettingsError, UsageError } from './cli-error.js';
import { printable } from './output/cell-text.js';

/** What to write to standard error, and the exit status: 2 for a wrong command line, 1 for everything else that failed. */
export interface ErrorReport {
  text: string;
  exitCode: number;
}

export function reportError(error: unknown, secrets: Iterable<string>): ErrorReport {
  const { text, exitCode } = describe(error);
  const lines = redact(text, secrets).split('\n').map(printable);
  return { text: text === '' ? '' : `${lines.join('\n')}\n`, exitCode };
}

function describe(error: unknown): ErrorReport {
  // commander has written its message, or the help that was asked for.
  if (error instanceof CommanderError) return { text: '', exitCode: error.exitCode === 0 ? 0 : 2 };
  if (error instanceof ApiError) return { text: describeApiError(error), exitCode: 1 };
  if (error instanceof UsageError) return { text: `error: ${error.message}`, exitCode: 2 };
  const isExpected = [ConnectionError, SettingsError, NotReadyError].some((kind) => error instanceof kind);
  const message = error instanceof Error ? error.message : String(error);
  return { text: isExpected ? `error: ${message}` : `unexpected error: ${message}`, exitCode: 1 };
}

function describeApiError({ code, message, details, requestId, hint }: ApiError): string {
  const lines = [
    ...details.map(({ field, message: problem }) => `${field}: ${problem}`),
    ...(hint === undefined ? [] : [hint]),
    ...(requestId === undefined ? [] : [`request id: ${requestId}`]),
  ];
  return [`${code}: ${message}`, ...lines.map((line) => `  ${line}`)].join('\n');
}

/** No message shows a token or a password, whoever wrote it. A very short one would blot out the text, and hide nothing. */
export function redact(text: string, secrets: Iterable<string>): string {
  let clean = text;
  for (const secret of secrets) if (secret.length >= 4) clean = clean.replaceAll(secret, '[hidden]');
  return clean;
}
