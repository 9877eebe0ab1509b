import type { Io } from './io.js';
import { createProgram } from './program.js';
import { reportError } from './report-error.js';

/** Runs one command line, without the program's name: `run(['carriers', 'list'], process)`. Resolves to the exit status. */
export async function run(argv: readonly string[], io: Io): Promise<number> {
  const secrets = new Set<string>();
  try {
    await createProgram({ io, secrets }).parseAsync(argv, { from: 'user' });
    return 0;
  } catch (error) {
    const { text, exitCode } = reportError(error, secrets);
    io.stderr.write(text);
    return exitCode;
  }
}
