import { InvalidArgumentError, Option, type Command } from 'commander';
import { UsageError } from '../cli-error.js';
import { commaSeparated, integer } from '../option-values.js';
import type { Session } from '../session.js';

type Purpose = 'create' | 'update';

/** The options of `carriers create` and `carriers update`, each named as the field it sets. */
function carrierOptions(purpose: Purpose): Option[] {
  return [
    new Option('--name <name>', 'display name').makeOptionMandatory(purpose === 'create'),
    new Option('--code <code>', 'short identifier; made from the name if not given'),
    new Option('--carrier-type <type>').choices(['inbound', 'outbound', 'bidirectional']),
    new Option('--sip-host <host>', 'host name or address; an outbound carrier needs one'),
    new Option('--sip-port <port>').argParser(integer),
    new Option('--transport <transport>').choices(['udp', 'tcp', 'tls']),
    new Option('--auth-username <name>', 'SIP digest user'),
    new Option('--auth-password <password>', 'SIP digest password').conflicts('authPasswordStdin'),
    new Option('--max-channels <number>', 'concurrent calls').argParser(integer),
    new Option('--priority <number>', 'higher wins').argParser(integer),
    new Option('--weight <number>', 'share among carriers of equal priority').argParser(integer),
    new Option('--health-check-url <url>', 'probed with GET, instead of SIP OPTIONS'),
    new Option('--config <json>', 'carrier-specific overrides'),
    new Option('--codec-preferences <codecs>', 'separated by commas').argParser(commaSeparated),
    new Option('--country-code <code>', 'ISO 3166-1 alpha-2'),
    ...(purpose === 'update' ? [new Option('--status <status>').choices(['active', 'disabled'])] : []),
  ];
}

export function carrierFields(purpose: Purpose): string[] {
  return carrierOptions(purpose).map((option) => option.name().replaceAll('-', '_'));
}

export function offerCarrierFields(command: Command, purpose: Purpose): Command {
  for (const option of carrierOptions(purpose)) command.addOption(option);
  return command.option(
    '--auth-password-stdin',
    'read the password from standard input, so that it is in no shell history',
  );
}

const CLEARABLE = [
  'sip_host',
  'auth_username',
  'auth_password',
  'health_check_url',
  'config',
  'country_code',
];

export interface ClearOptions {
  clear?: string[];
}

export function clearOption(): Option {
  return new Option('--clear <fields>', `empty some of: ${CLEARABLE.join(', ')}`).argParser((value) => {
    const fields = commaSeparated(value).map((field) => field.replaceAll('-', '_'));
    const unknown = fields.find((field) => !CLEARABLE.includes(field));
    if (unknown !== undefined) throw new InvalidArgumentError(`It can empty ${CLEARABLE.join(', ')}.`);
    return fields;
  });
}

export interface PasswordOptions {
  authPassword?: string;
  authPasswordStdin?: boolean;
}

/** The options with the password, wherever it comes from; one line break at its end is not part of it. */
export async function withPassword<T extends PasswordOptions>(
  { io, secrets }: Session,
  options: T,
): Promise<T> {
  const authPassword = options.authPasswordStdin ? await readPassword(io.stdin) : options.authPassword;
  if (authPassword === undefined) return options;
  secrets.add(authPassword);
  return { ...options, authPassword };
}

async function readPassword(stdin: Session['io']['stdin']): Promise<string> {
  if (stdin.isTTY)
    throw new UsageError('--auth-password-stdin reads from a pipe or a file: … --auth-password-stdin < file');
  const chunks: Uint8Array[] = [];
  for await (const chunk of stdin) chunks.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
  const password = Buffer.concat(chunks)
    .toString('utf8')
    .replace(/\r?\n$/, '');
  if (password === '') throw new UsageError('--auth-password-stdin: standard input is empty');
  return password;
}
