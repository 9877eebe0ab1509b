import { Command } from 'commander';
import { addAccounts } from './commands/accounts.js';
import { addCarriers } from './commands/carriers.js';
import { addDefaultCarriers } from './commands/default-carriers.js';
import { addKeys } from './commands/keys.js';
import { addRoute } from './commands/route.js';
import { addStatus } from './commands/status.js';
import { hasColor, type TextSink } from './io.js';
import type { Shell } from './session.js';
import { VERSION } from './version.js';

const SETTINGS_HELP = `
Settings: TRUNKLINE_URL, TRUNKLINE_AUTH_ID, TRUNKLINE_AUTH_TOKEN for the account;
TRUNKLINE_OPERATOR_URL, TRUNKLINE_OPERATOR_TOKEN for the operator; from the
environment, else --env-file, else the nearest .data/demo.env (TRUNKLINE_DATA_DIR).`;

/** The whole command line. Throws instead of exiting. */
export function createProgram(shell: Shell): Command {
  const { stdout, stderr, env } = shell.io;
  const width = (sink: TextSink) => sink.columns ?? 100;
  const program = new Command('trunkline')
    .description('The command line of Trunkline: accounts, keys, carriers, routing')
    .version(VERSION)
    .option('--json', 'print the JSON of the API as it came, not a table')
    .option('--env-file <file>', 'read settings from this file')
    .addHelpText('after', SETTINGS_HELP)
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(withoutValues(text)),
      getOutHelpWidth: () => width(stdout),
      getErrHelpWidth: () => width(stderr),
      getOutHasColors: () => hasColor(stdout, env),
      getErrHasColors: () => hasColor(stderr, env),
    })
    .exitOverride();
  for (const add of [addAccounts, addKeys, addCarriers, addDefaultCarriers, addRoute, addStatus])
    add(program, shell);
  return program;
}

/** commander repeats a mistyped option whole: `--auth-pasword=…` would show the password. */
function withoutValues(text: string): string {
  return text.replace(/(unknown option '--?[^=']+)=.*'/, "$1=…'");
}
