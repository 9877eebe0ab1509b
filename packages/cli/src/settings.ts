import path from 'node:path';
import { SettingsError } from './cli-error.js';
import { findDemoEnvFile, readEnvFile, type EnvValues } from './env-file.js';
import type { Io } from './io.js';

export const START_COMMAND = 'npx --yes pnpm@12.21.0 start';

const PUBLIC_API = ['TRUNKLINE_URL', 'TRUNKLINE_AUTH_ID', 'TRUNKLINE_AUTH_TOKEN'] as const;
const OPERATOR_API = ['TRUNKLINE_OPERATOR_URL', 'TRUNKLINE_OPERATOR_TOKEN'] as const;

type SettingName = (typeof PUBLIC_API)[number] | (typeof OPERATOR_API)[number];

export interface PublicSettings {
  url: string;
  authId: string;
  authToken: string;
  source: string;
}

export interface OperatorSettings {
  url: string;
  token: string;
  source: string;
}

/** Read when asked for, so that a command needs only the settings it uses. */
export interface Settings {
  publicApi(): PublicSettings;
  findPublicApi(): PublicSettings | undefined;
  operatorApi(): OperatorSettings;
}

interface Source {
  name: string;
  values: EnvValues;
}

/**
 * The environment, else `--env-file`, else the nearest `.data/demo.env` (TRUNKLINE_DATA_DIR). The settings of one API come
 * from one place, so that no token ever goes to an address that a file in some directory names.
 */
export function createSettings(io: Pick<Io, 'env' | 'cwd'>, envFile: string | undefined): Settings {
  const find = <Name extends SettingName>(names: readonly Name[]) =>
    findComplete(sources(io, envFile), names);

  const findPublicApi = (): PublicSettings | undefined => {
    const found = find(PUBLIC_API);
    if (!found) return undefined;
    const { values, source } = found;
    return {
      url: checkedUrl('TRUNKLINE_URL', values.TRUNKLINE_URL, source),
      authId: checkedAuthId(values.TRUNKLINE_AUTH_ID, source),
      authToken: checkedToken('TRUNKLINE_AUTH_TOKEN', values.TRUNKLINE_AUTH_TOKEN, source),
      source,
    };
  };
  return {
    findPublicApi,
    publicApi() {
      const settings = findPublicApi();
      if (!settings) throw nothingFound('the account', PUBLIC_API);
      return settings;
    },
    operatorApi() {
      const found = find(OPERATOR_API);
      if (!found) throw nothingFound('the operator', OPERATOR_API);
      const { values, source } = found;
      return {
        url: checkedUrl('TRUNKLINE_OPERATOR_URL', values.TRUNKLINE_OPERATOR_URL, source),
        token: checkedToken('TRUNKLINE_OPERATOR_TOKEN', values.TRUNKLINE_OPERATOR_TOKEN, source),
        source,
      };
    },
  };
}

/** A file that was found, not named, is read only when the environment does not do. */
function* sources({ env, cwd }: Pick<Io, 'env' | 'cwd'>, envFile: string | undefined): Generator<Source> {
  const named = envFile === undefined ? undefined : path.resolve(cwd(), envFile);
  const namedValues = named === undefined ? {} : readEnvFile(named);
  yield { name: 'the environment', values: env };
  if (named !== undefined) return yield { name: named, values: namedValues };
  const found = findDemoEnvFile(cwd(), env.TRUNKLINE_DATA_DIR || '.data');
  if (found !== undefined) yield { name: found, values: readEnvFile(found) };
}

/** The first source that sets any of the names has to set them all. */
function findComplete<Name extends SettingName>(sources: Iterable<Source>, names: readonly Name[]) {
  for (const { name: source, values } of sources) {
    const set = names.filter((name) => values[name]);
    if (set.length === 0) continue;
    const missing = names.filter((name) => !values[name]);
    if (missing.length === 0) return { source, values: values as Record<Name, string> };
    throw new SettingsError(
      `missing: ${missing.join(', ')}; ${source} sets ${set.join(', ')}, and all of them have to come from one place`,
    );
  }
  return undefined;
}

function checkedUrl(name: SettingName, value: string, source: string): string {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  // A user in the address would be shown in messages; credentials have their own settings.
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash) {
    throw new SettingsError(`${name} in ${source} is not a plain http:// or https:// address`);
  }
  return url.href.replace(/\/+$/, '');
}

function checkedAuthId(value: string, source: string): string {
  if (!/^[A-Za-z0-9_-]+$/.test(value))
    throw new SettingsError(`TRUNKLINE_AUTH_ID in ${source} is not an Auth ID`);
  return value;
}

/** Checked here, as the message of an invalid header would show the token. */
function checkedToken(name: SettingName, value: string, source: string): string {
  if (!/^[\x21-\x7e]+$/.test(value))
    throw new SettingsError(`${name} in ${source} has characters that no token has`);
  return value;
}

function nothingFound(who: string, names: readonly string[]): SettingsError {
  return new SettingsError(
    [
      `no address and credentials of ${who} found. Do one of these:`,
      `  start the platform here, which writes .data/demo.env:  ${START_COMMAND}`,
      `  name a file that has them:                             --env-file <file>`,
      `  set them in the environment:                           ${names.join(', ')}`,
    ].join('\n'),
  );
}
