import Joi from 'joi';
import { created, noContent, ok, routesOf } from '@trunkline/http';
import type { Deps } from '../deps.js';
import { getAccount } from '../storage/accounts.js';
import { listKeys, markKeyRevoked } from '../storage/api-keys.js';
import { issueKey, rotateKey } from '../use-cases/issue-key.js';
import { accountParams, apiKey, issuedKey, keyParams } from './accounts.schemas.js';
import { issuedKeyView, keyView } from './accounts.view.js';

const route = routesOf<Deps>();
const shared = {
  audience: 'operator',
  tag: { name: 'API keys', description: 'Pairs of Auth ID and Auth Token' },
} as const;

const example = {
  auth_id: 'TJ4F2A9C1E',
  account_id: '0b9f5c52-6f0e-4a57-9d1d-6a3a8f6f0c11',
  created_at: '2026-11-20T09:00:00.000Z',
};
const issuedExample = { ...example, auth_token: '9f86d081884c7d659a2feaa0c55ad015' };

/** Operator API: API keys (decisions 1 and 14). The token is shown once and stored as a digest. */
export const keyRoutes = [
  route({
    ...shared,
    operationId: 'createKey',
    method: 'post',
    path: '/operator/v1/accounts/:id/keys',
    summary: 'Issue an API key',
    params: accountParams,
    responses: {
      201: {
        description: 'The key with its token, which is shown only here',
        schema: issuedKey,
        example: issuedExample,
      },
    },
    errors: ['NOT_FOUND'],
    handle: async ({ db }, { params }) => created(issuedKeyView(await issueKey(db, params.id))),
  }),
  route({
    ...shared,
    operationId: 'listKeys',
    method: 'get',
    path: '/operator/v1/accounts/:id/keys',
    summary: 'List the keys of an account that are not revoked',
    params: accountParams,
    responses: {
      200: {
        description: 'The keys, newest first',
        schema: Joi.object({ data: Joi.array().items(apiKey).required() }),
        example: { data: [example] },
      },
    },
    errors: ['NOT_FOUND'],
    async handle({ db }, { params }) {
      await getAccount(db, params.id);
      return ok({ data: (await listKeys(db, params.id)).map(keyView) });
    },
  }),
  route({
    ...shared,
    operationId: 'rotateKey',
    method: 'post',
    path: '/operator/v1/keys/:key_id/rotate',
    summary: 'Replace the token of a key',
    description: 'The old token stops working within a second.',
    params: keyParams,
    responses: {
      200: {
        description: 'The key with its new token, which is shown only here',
        schema: issuedKey,
        example: issuedExample,
      },
    },
    errors: ['NOT_FOUND'],
    async handle({ db, now, announceKeys }, { params }) {
      const issued = await rotateKey(db, params.key_id, now());
      announceKeys([params.key_id]);
      return ok(issuedKeyView(issued));
    },
  }),
  route({
    ...shared,
    operationId: 'revokeKey',
    method: 'delete',
    path: '/operator/v1/keys/:key_id',
    summary: 'Revoke a key',
    description: 'Requests with it get 401 `INVALID_CREDENTIALS` within a second.',
    params: keyParams,
    responses: { 204: { description: 'Revoked' } },
    errors: ['NOT_FOUND'],
    async handle({ db, now, announceKeys }, { params }) {
      await markKeyRevoked(db, params.key_id, now());
      announceKeys([params.key_id]);
      return noContent();
    },
  }),
];
