import type { Command } from 'commander';
import type { ApiClient } from '../api-client.js';
import { ApiError } from '../api-error.js';
import { ConnectionError, NotReadyError } from '../cli-error.js';
import { paginationOf, recordsOf } from '../output/api-record.js';
import { fields } from '../output/table.js';
import { inSession, type Session, type Shell } from '../session.js';

/** A number, or why there is none. */
type Count = number | { error: string };

interface Status {
  operator_url: string;
  ready: boolean;
  /** What `/readyz` said. */
  readiness: string;
  accounts?: Count;
  default_carriers?: Count;
  url?: string;
  auth_id?: string;
  carriers?: Count;
}

/** `status`: whether the platform is ready, and how much is in it. It fails unless all is well. */
export function addStatus(program: Command, shell: Shell): void {
  program
    .command('status')
    .description('say whether the platform is ready, and count what is in it')
    .action(
      inSession(shell, async (session) => {
        const status = await readStatus(session);
        if (session.json) session.io.stdout.write(`${JSON.stringify(status)}\n`);
        else session.io.stdout.write(`${fields(shown(status), session.paint)}\n`);
        if (!status.ready) throw new NotReadyError(`the platform is not ready: ${status.readiness}`);
        const failed = Object.entries(status).filter(([, value]) => typeof value === 'object');
        if (failed.length > 0)
          throw new NotReadyError(`could not count ${failed.map(([name]) => name).join(', ')}`);
      }),
    );
}

async function readStatus(session: Session): Promise<Status> {
  const operator = session.operator();
  const { url } = session.settings.operatorApi();
  const { status: code, text } = await operator.readText('/readyz');
  const ready = code === 200;
  const readiness = text.trim() || `HTTP ${code}`;
  if (!ready) return { operator_url: url, ready, readiness };
  const [accounts, defaultCarriers] = await Promise.all([
    count(operator, '/operator/v1/accounts?per_page=1'),
    count(operator, '/operator/v1/default-carriers?per_page=1'),
  ]);
  const known = { operator_url: url, ready, readiness, accounts, default_carriers: defaultCarriers };
  const account = session.settings.findPublicApi();
  if (!account) return known;
  const { api, authId } = session.account();
  return {
    ...known,
    url: account.url,
    auth_id: authId,
    carriers: await count(api, `/v1/account/${authId}/carriers`),
  };
}

async function count(api: ApiClient, path: string): Promise<Count> {
  try {
    const { body } = await api.send('GET', path);
    return paginationOf(body)?.total ?? recordsOf(body).length;
  } catch (error) {
    if (error instanceof ApiError) return { error: `${error.code}: ${error.message}` };
    if (error instanceof ConnectionError) return { error: error.message };
    throw error;
  }
}

function shown({ ready, readiness, ...counts }: Status) {
  const value = (count: unknown) => (typeof count === 'object' ? (count as { error: string }).error : count);
  const rows = Object.entries(counts).map(([name, count]) => [name.replaceAll('_', ' '), value(count)]);
  return Object.fromEntries([['platform', ready ? 'ready' : readiness], ...rows]) as Record<string, unknown>;
}
