import { Option, type Command } from 'commander';
import type { ApiClient } from '../api-client.js';
import type { ApiRecord } from '../output/api-record.js';
import { id } from '../option-values.js';
import { inSession, type Session, type Shell } from '../session.js';

interface Whose {
  account?: string;
}

/** Whether the platform's default carriers are in an account's pool: a switch of the account, and one of the operator. */
export function addDefaultCarriers(program: Command, shell: Shell): void {
  const group = program
    .command('default-carriers')
    .description('whether default carriers take calls of an account');
  const leaf = (name: string, description: string) =>
    group
      .command(name)
      .description(description)
      .addOption(
        new Option(
          '--account <id>',
          "the operator's switch for this account, not the account's own",
        ).argParser(id),
      );

  leaf('show', 'show the switch').action(
    inSession(shell, async (session, options: Whose) => {
      const one = switchOf(session, options);
      session.print(await one.api.send('GET', one.path), (body) => describe(one, undefined, body));
    }),
  );
  for (const [name, enabled] of [
    ['enable', true],
    ['disable', false],
  ] as const) {
    leaf(name, `${name} them`).action(
      inSession(shell, async (session, options: Whose) => {
        const one = switchOf(session, options);
        session.print(await one.api.send('PUT', one.path, { enabled }), (body) =>
          describe(one, enabled, body),
        );
      }),
    );
  }
}

interface Switch {
  api: ApiClient;
  path: string;
  /** The end of "Default carriers are enabled …". */
  whose: string;
  /** The field of the answer with the other switch, and whose that is. */
  other: { field: string; owner: string };
}

function switchOf(session: Session, { account }: Whose): Switch {
  if (account !== undefined) {
    return {
      api: session.operator(),
      path: `/operator/v1/accounts/${account}/default-carriers`,
      whose: `for account ${account} by the operator`,
      other: { field: 'account_enabled', owner: 'the account itself' },
    };
  }
  const { api, authId } = session.account();
  return {
    api,
    path: `/v1/account/${authId}/default-carriers`,
    whose: `for ${authId}`,
    other: { field: 'operator_enabled', owner: 'the operator' },
  };
}

/** `asked` is what was put, for an answer without a body. */
function describe({ whose, other }: Switch, asked: boolean | undefined, body: unknown): string {
  const answer = (body ?? {}) as ApiRecord;
  const enabled = (answer.enabled ?? asked) === true;
  const sentence = `Default carriers are ${enabled ? 'enabled' : 'disabled'} ${whose}`;
  const isOtherOff = answer[other.field] === false;
  return enabled && isOtherOff
    ? `${sentence}, but disabled by ${other.owner}: they take no calls.`
    : `${sentence}.`;
}
