import type { Command } from 'commander';
import { recordOf } from '../output/api-record.js';
import { cellText } from '../output/cell-text.js';
import { fields, list, type Column } from '../output/table.js';
import { bodyOf, changesOf, id, integer, queryOf } from '../option-values.js';
import { UsageError } from '../cli-error.js';
import { inSession, type Shell } from '../session.js';
import { addCarrierRoutes } from './carrier-routes.js';
import {
  carrierFields,
  clearOption,
  offerCarrierFields,
  withPassword,
  type ClearOptions,
  type PasswordOptions,
} from './carrier-fields.js';
import { carriersApi, type WhoseCarriers } from './carriers-api.js';

const COLUMNS: Column[] = [
  { head: 'ID', of: (carrier) => carrier.id },
  { head: 'NAME', of: (carrier) => carrier.name },
  { head: 'TYPE', of: (carrier) => carrier.carrier_type },
  {
    head: 'HOST',
    of: ({ sip_host: host, sip_port: port, transport }) =>
      host && `${cellText(host)}:${cellText(port)}/${cellText(transport)}`,
  },
  { head: 'PRIORITY', of: (carrier) => carrier.priority, align: 'right' },
  { head: 'WEIGHT', of: (carrier) => carrier.weight, align: 'right' },
  {
    head: 'CHANNELS',
    of: (carrier) => `${cellText(carrier.active_channels)}/${cellText(carrier.max_channels)}`,
    align: 'right',
  },
  { head: 'STATUS', of: (carrier) => carrier.status },
  { head: 'HEALTH', of: (carrier) => carrier.health_status },
];
const PROBE_COLUMNS: Column[] = [
  { head: 'TIME', of: (probe) => probe.created_at },
  { head: 'STATUS', of: (probe) => probe.status },
  { head: 'MS', of: (probe) => probe.response_time_ms, align: 'right' },
  { head: 'ERROR', of: (probe) => probe.error_message },
];

const NOTHING = 'No carriers yet: trunkline carriers create';

/** Carriers: the account's own over the public API, or with `--default` the platform's over the operator API. */
export function addCarriers(program: Command, shell: Shell): void {
  const carriers = program
    .command('carriers')
    .description("the account's own carriers, and their routes")
    .option('--default', "the platform's default carriers instead (operator)");
  for (const add of [addList, addCreate, addShow, addUpdate, addDelete, addHealth, addCarrierRoutes]) {
    add(carriers, shell);
  }
}

function addList(carriers: Command, shell: Shell): void {
  carriers
    .command('list')
    .description('list carriers, newest first')
    .option('--page <number>', 'from 1, with --default', integer)
    .option('--per-page <number>', '1 to 100, with --default', integer)
    .action(
      inSession(shell, async (session, options: WhoseCarriers) => {
        const query = queryOf(options, ['page', 'per_page']);
        if (query !== '' && !options.default) throw new UsageError('the list of own carriers has no pages');
        const { api, path, flag } = carriersApi(session, options);
        const reply = await api.send('GET', `${path}${query}`);
        const nothing = `${NOTHING}${flag} --name <name> --sip-host <host>`;
        session.print(reply, (body) => list(body, COLUMNS, session.paint, nothing));
      }),
    );
}

function addCreate(carriers: Command, shell: Shell): void {
  const create = carriers.command('create').description('add a carrier');
  offerCarrierFields(create, 'create').action(
    inSession(shell, async (session, options: WhoseCarriers & PasswordOptions) => {
      const carrier = bodyOf(await withPassword(session, options), carrierFields('create'));
      const { api, path, flag } = carriersApi(session, options);
      session.print(await api.send('POST', path, carrier), (body) => {
        const created = recordOf(body);
        const next = `trunkline carriers routes add${flag} ${cellText(created.id)} --prefix +`;
        return `${fields(created, session.paint)}\n\nIt takes no calls without a route; one for every number: ${next}`;
      });
    }),
  );
}

function addShow(carriers: Command, shell: Shell): void {
  carriers
    .command('show')
    .description('show a carrier')
    .argument('<id>', 'of the carrier', id)
    .action(
      inSession(shell, async (session, options: WhoseCarriers, carrier: string) => {
        const { api, path } = carriersApi(session, options);
        const reply = await api.send('GET', `${path}/${carrier}`);
        session.print(reply, (body) => fields(recordOf(body), session.paint));
      }),
    );
}

function addUpdate(carriers: Command, shell: Shell): void {
  const update = carriers
    .command('update')
    .description('change a carrier; what is not named stays')
    .argument('<id>', 'of the carrier', id)
    .addOption(clearOption());
  offerCarrierFields(update, 'update').action(
    inSession(
      shell,
      async (session, options: WhoseCarriers & PasswordOptions & ClearOptions, carrier: string) => {
        const given = await withPassword(session, options);
        const changes = changesOf(given, carrierFields('update'), options.clear);
        const { api, path } = carriersApi(session, options);
        const reply = await api.send('PUT', `${path}/${carrier}`, changes);
        session.print(reply, (body) => fields(recordOf(body), session.paint));
      },
    ),
  );
}

function addDelete(carriers: Command, shell: Shell): void {
  carriers
    .command('delete')
    .description('delete a carrier and its routes')
    .argument('<id>', 'of the carrier', id)
    .action(
      inSession(shell, async (session, options: WhoseCarriers, carrier: string) => {
        const { api, path } = carriersApi(session, options);
        const reply = await api.send('DELETE', `${path}/${carrier}`);
        session.print(reply, () => `Deleted carrier ${carrier} and its routes.`);
      }),
    );
}

function addHealth(carriers: Command, shell: Shell): void {
  carriers
    .command('health')
    .description('show the health probes of a carrier, latest first')
    .argument('<id>', 'of the carrier', id)
    .action(
      inSession(shell, async (session, options: WhoseCarriers, carrier: string) => {
        const { api, path } = carriersApi(session, options);
        const reply = await api.send('GET', `${path}/${carrier}/health`);
        session.print(reply, (body) => list(body, PROBE_COLUMNS, session.paint, 'Not probed yet.'));
      }),
    );
}
