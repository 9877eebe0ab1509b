import type { Command } from 'commander';
import { createApiClient, type ApiClient, type Reply } from './api-client.js';
import { hasColor, type Io } from './io.js';
import { createPaint, type Paint } from './output/paint.js';
import { createSettings, type Settings } from './settings.js';
import { USER_AGENT } from './version.js';

/** What every command shares. */
export interface Shell {
  io: Io;
  /** Values that no message may show. */
  secrets: Set<string>;
}

/** One run of one command. */
export interface Session {
  io: Io;
  secrets: Set<string>;
  settings: Settings;
  json: boolean;
  paint: Paint;
  /** The public API, as the account. */
  account(): { api: ApiClient; authId: string };
  operator(): ApiClient;
  /** Prints an answer: its JSON as received with `--json`, else what `render` makes of its body. */
  print(reply: Reply, render: (body: unknown) => string): void;
}

export interface GlobalOptions {
  json?: boolean;
  envFile?: string;
}

/** An action of commander that gets a session, then all options (the global ones too), then the arguments. */
export function inSession<Options extends object, Args extends string[]>(
  shell: Shell,
  act: (session: Session, options: Options, ...args: Args) => Promise<void>,
): (...given: unknown[]) => Promise<void> {
  return (...given) => {
    const command = given.at(-1) as Command;
    const options = command.optsWithGlobals<Options & GlobalOptions>();
    return act(openSession(shell, options), options, ...(given.slice(0, -2) as Args));
  };
}

function openSession({ io, secrets }: Shell, { json = false, envFile }: GlobalOptions): Session {
  const settings = createSettings(io, envFile);
  return {
    io,
    secrets,
    settings,
    json,
    paint: createPaint(!json && hasColor(io.stdout, io.env)),
    account() {
      const { url, authId, authToken, source } = settings.publicApi();
      const basic = Buffer.from(`${authId}:${authToken}`).toString('base64');
      secrets.add(authToken).add(basic);
      return {
        authId,
        api: createApiClient({ url, authorization: `Basic ${basic}`, source, userAgent: USER_AGENT }),
      };
    },
    operator() {
      const { url, token, source } = settings.operatorApi();
      secrets.add(token);
      return createApiClient({ url, authorization: `Bearer ${token}`, source, userAgent: USER_AGENT });
    },
    print({ text, body }, render) {
      if (!json) io.stdout.write(`${render(body)}\n`);
      else if (text !== '') io.stdout.write(text.endsWith('\n') ? text : `${text}\n`);
    },
  };
}
