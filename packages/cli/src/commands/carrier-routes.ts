import type { Command } from 'commander';
import { recordOf } from '../output/api-record.js';
import { cellText } from '../output/cell-text.js';
import { fields, list, type Column } from '../output/table.js';
import { bodyOf, decimal, id, integer } from '../option-values.js';
import { inSession, type Shell } from '../session.js';
import { carriersApi, type WhoseCarriers } from './carriers-api.js';

const COLUMNS: Column[] = [
  { head: 'ID', of: (route) => route.id },
  { head: 'PREFIX', of: (route) => route.prefix },
  { head: 'PRIORITY', of: (route) => route.priority, align: 'right' },
  {
    head: 'RATE',
    of: ({ rate, rate_currency: currency }) =>
      rate == null ? undefined : `${cellText(rate)} ${cellText(currency)}`,
    align: 'right',
  },
  { head: 'STATUS', of: (route) => route.status },
];

/** `carriers routes`: the prefixes a carrier takes calls for. */
export function addCarrierRoutes(carriers: Command, shell: Shell): void {
  const routes = carriers.command('routes').description('the prefixes a carrier takes calls for');

  routes
    .command('list')
    .description('list the routes of a carrier')
    .argument('<carrier-id>', 'of the carrier', id)
    .action(
      inSession(shell, async (session, options: WhoseCarriers, carrier: string) => {
        const { api, path, flag } = carriersApi(session, options);
        const nothing = `No routes yet, so it takes no calls: trunkline carriers routes add${flag} ${carrier} --prefix +`;
        session.print(await api.send('GET', `${path}/${carrier}/routes`), (body) =>
          list(body, COLUMNS, session.paint, nothing),
        );
      }),
    );

  routes
    .command('add')
    .description('add a route')
    .argument('<carrier-id>', 'of the carrier', id)
    .requiredOption('--prefix <prefix>', 'such as +44; a bare + is every number')
    .option('--priority <number>', 'higher wins', integer)
    .option('--rate <number>', 'per minute', decimal)
    .option('--rate-currency <code>', 'ISO 4217, such as USD')
    .action(
      inSession(shell, async (session, options: WhoseCarriers, carrier: string) => {
        const route = bodyOf(options, ['prefix', 'priority', 'rate', 'rate_currency']);
        const { api, path } = carriersApi(session, options);
        const reply = await api.send('POST', `${path}/${carrier}/routes`, route);
        session.print(reply, (body) => fields(recordOf(body), session.paint));
      }),
    );

  routes
    .command('remove')
    .description('remove a route')
    .argument('<carrier-id>', 'of the carrier', id)
    .argument('<route-id>', 'of the route', id)
    .action(
      inSession(shell, async (session, options: WhoseCarriers, carrier: string, route: string) => {
        const { api, path } = carriersApi(session, options);
        const reply = await api.send('DELETE', `${path}/${carrier}/routes/${route}`);
        session.print(reply, () => `Removed route ${route}.`);
      }),
    );
}
