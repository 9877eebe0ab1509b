import { created, ok, paginated, paginatedSchema, routesOf, window } from '@trunkline/http';
import type { Deps } from '../deps.js';
import { getAccount, listAccounts } from '../storage/accounts.js';
import { changeAccount } from '../use-cases/change-account.js';
import { createAccount } from '../use-cases/create-account.js';
import {
  account,
  accountParams,
  changeAccountBody,
  createAccountBody,
  pageSchema,
} from './accounts.schemas.js';
import { accountView } from './accounts.view.js';

const route = routesOf<Deps>();
const shared = {
  audience: 'operator',
  tag: { name: 'Accounts', description: 'Customers of the platform' },
} as const;

const example = {
  id: '0b9f5c52-6f0e-4a57-9d1d-6a3a8f6f0c11',
  tenant_id: 'TJ5E2A90C4',
  name: 'Acme',
  email: 'ops@acme.example',
  status: 'active',
  billing_mode: 'postpaid',
  currency: 'USD',
  base_limit: 10,
  created_at: '2026-11-20T09:00:00.000Z',
};

/** Operator API: accounts (decisions 1 and 14). */
export const accountRoutes = [
  route({
    ...shared,
    operationId: 'createAccount',
    method: 'post',
    path: '/operator/v1/accounts',
    summary: 'Create an account',
    body: createAccountBody,
    bodyExample: {
      name: 'Acme',
      email: 'ops@acme.example',
      billing_mode: 'postpaid',
      currency: 'USD',
      base_limit: 10,
    },
    responses: { 201: { description: 'The account', schema: account, example } },
    errors: [],
    handle: async ({ db }, { body }) => created(accountView(await createAccount(db, body))),
  }),
  route({
    ...shared,
    operationId: 'listAccounts',
    method: 'get',
    path: '/operator/v1/accounts',
    summary: 'List accounts, newest first',
    query: pageSchema,
    responses: {
      200: {
        description: 'A page of accounts',
        schema: paginatedSchema(account),
        example: paginated([example], 1, { page: 1, per_page: 20 }),
      },
    },
    errors: [],
    async handle({ db }, { query }) {
      const { accounts, total } = await listAccounts(db, window(query));
      return ok(paginated(accounts.map(accountView), total, query));
    },
  }),
  route({
    ...shared,
    operationId: 'getAccount',
    method: 'get',
    path: '/operator/v1/accounts/:id',
    summary: 'Read an account',
    params: accountParams,
    responses: { 200: { description: 'The account', schema: account, example } },
    errors: ['NOT_FOUND'],
    handle: async ({ db }, { params }) => ok(accountView(await getAccount(db, params.id))),
  }),
  route({
    ...shared,
    operationId: 'changeAccount',
    method: 'patch',
    path: '/operator/v1/accounts/:id',
    summary: 'Change, suspend or resume an account',
    description:
      'Suspension takes effect within a second: requests with the keys of the account get 403 `ACCOUNT_SUSPENDED`.',
    params: accountParams,
    body: changeAccountBody,
    bodyExample: { status: 'suspended' },
    responses: {
      200: {
        description: 'The changed account',
        schema: account,
        example: { ...example, status: 'suspended' },
      },
    },
    errors: ['NOT_FOUND'],
    async handle({ db, announceKeys }, { params, body }) {
      const { account: changed, authIds } = await changeAccount(db, params.id, body);
      announceKeys(authIds);
      return ok(accountView(changed));
    },
  }),
];
