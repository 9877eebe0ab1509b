import type { Command } from 'commander';
import { recordOf } from '../output/api-record.js';
import { fields, list, type Column } from '../output/table.js';
import { id } from '../option-values.js';
import { inSession, type Session, type Shell } from '../session.js';

const COLUMNS: Column[] = [
  { head: 'AUTH ID', of: (key) => key.auth_id },
  { head: 'CREATED', of: (key) => key.created_at },
];

/** API keys, over the operator API. */
export function addKeys(program: Command, shell: Shell): void {
  const keys = program.command('keys').description('API keys of an account (operator)');

  keys
    .command('list')
    .description('list the keys that are not revoked')
    .argument('<account-id>', 'of the account', id)
    .action(
      inSession(shell, async (session, _options, account: string) => {
        const reply = await session.operator().send('GET', `/operator/v1/accounts/${account}/keys`);
        session.print(reply, (body) =>
          list(body, COLUMNS, session.paint, `No keys yet: trunkline keys create ${account}`),
        );
      }),
    );

  keys
    .command('create')
    .description('issue a key; its token is shown only here')
    .argument('<account-id>', 'of the account', id)
    .action(
      inSession(shell, async (session, _options, account: string) => {
        const reply = await session.operator().send('POST', `/operator/v1/accounts/${account}/keys`);
        session.print(reply, (body) => issuedKey(session, body));
      }),
    );

  keys
    .command('rotate')
    .description('replace the token of a key; the old one stops working within a second')
    .argument('<auth-id>', 'of the key', id)
    .action(
      inSession(shell, async (session, _options, key: string) => {
        const reply = await session.operator().send('POST', `/operator/v1/keys/${key}/rotate`);
        session.print(reply, (body) => issuedKey(session, body));
      }),
    );

  keys
    .command('revoke')
    .description('revoke a key; it stops working within a second')
    .argument('<auth-id>', 'of the key', id)
    .action(
      inSession(shell, async (session, _options, key: string) => {
        const reply = await session.operator().send('DELETE', `/operator/v1/keys/${key}`);
        session.print(reply, () => `Revoked ${key}: it stops working within a second.`);
      }),
    );
}

function issuedKey(session: Session, body: unknown): string {
  return [
    fields(recordOf(body), session.paint),
    '',
    'The token is shown only this once: store it now. A lost one is replaced with: trunkline keys rotate <auth-id>',
  ].join('\n');
}
