import { Option, type Command } from 'commander';
import { recordOf } from '../output/api-record.js';
import { cellText } from '../output/cell-text.js';
import { fields, list, type Column } from '../output/table.js';
import { bodyOf, changesOf, id, integer, queryOf } from '../option-values.js';
import { inSession, type Session, type Shell } from '../session.js';

const COLUMNS: Column[] = [
  { head: 'ID', of: (account) => account.id },
  { head: 'NAME', of: (account) => account.name },
  { head: 'EMAIL', of: (account) => account.email },
  { head: 'STATUS', of: (account) => account.status },
  { head: 'BILLING', of: (account) => account.billing_mode },
  { head: 'CURRENCY', of: (account) => account.currency },
  { head: 'CALLS', of: (account) => account.base_limit, align: 'right' },
];
const CHANGEABLE = ['name', 'email', 'billing_mode', 'base_limit', 'status'];

const billingMode = () => new Option('--billing-mode <mode>').choices(['prepaid', 'postpaid']);

/** Accounts, over the operator API. */
export function addAccounts(program: Command, shell: Shell): void {
  const accounts = program.command('accounts').description('the customers of the platform (operator)');

  accounts
    .command('list')
    .description('list accounts, newest first')
    .option('--page <number>', 'from 1', integer)
    .option('--per-page <number>', '1 to 100, 20 if not given', integer)
    .action(
      inSession(shell, async (session, options) => {
        const query = queryOf(options, ['page', 'per_page']);
        session.print(await session.operator().send('GET', `/operator/v1/accounts${query}`), (body) =>
          list(
            body,
            COLUMNS,
            session.paint,
            'No accounts yet: trunkline accounts create --name <name> --email <address>',
          ),
        );
      }),
    );

  accounts
    .command('create')
    .description('create an account')
    .requiredOption('--name <name>', 'of the customer')
    .requiredOption('--email <address>', 'gets the notices of the platform')
    .addOption(billingMode())
    .option('--currency <code>', 'ISO 4217, such as USD')
    .option('--base-limit <number>', 'concurrent calls', integer)
    .action(
      inSession(shell, async (session, options) => {
        const account = bodyOf(options, ['name', 'email', 'billing_mode', 'currency', 'base_limit']);
        session.print(await session.operator().send('POST', '/operator/v1/accounts', account), (body) => {
          const created = recordOf(body);
          return `${fields(created, session.paint)}\n\nNext, its first key: trunkline keys create ${cellText(created.id)}`;
        });
      }),
    );

  accounts
    .command('show')
    .description('show an account')
    .argument('<id>', 'of the account', id)
    .action(
      inSession(shell, async (session, _options, account: string) => {
        const reply = await session.operator().send('GET', `/operator/v1/accounts/${account}`);
        session.print(reply, (body) => fields(recordOf(body), session.paint));
      }),
    );

  accounts
    .command('update')
    .description('change an account')
    .argument('<id>', 'of the account', id)
    .option('--name <name>')
    .option('--email <address>')
    .addOption(billingMode())
    .option('--base-limit <number>', 'concurrent calls', integer)
    .addOption(new Option('--status <status>').choices(['active', 'suspended']))
    .action(
      inSession(shell, async (session, options, account: string) => {
        const reply = await change(session, account, changesOf(options, CHANGEABLE));
        session.print(reply, (body) => fields(recordOf(body), session.paint));
      }),
    );

  addStatusSwitch(accounts, shell, 'suspend', 'suspended', 'its keys are refused within a second');
  addStatusSwitch(accounts, shell, 'resume', 'active', 'its keys work again within a second');
}

function addStatusSwitch(
  accounts: Command,
  shell: Shell,
  name: string,
  status: string,
  consequence: string,
): void {
  accounts
    .command(name)
    .description(`make an account ${status}: ${consequence}`)
    .argument('<id>', 'of the account', id)
    .action(
      inSession(shell, async (session, _options, account: string) => {
        session.print(await change(session, account, { status }), (body) => {
          const changed = recordOf(body);
          return `Account ${cellText(changed.name)} (${account}) is ${cellText(changed.status)}: ${consequence}.`;
        });
      }),
    );
}

function change(session: Session, account: string, changes: object) {
  return session.operator().send('PATCH', `/operator/v1/accounts/${account}`, changes);
}
