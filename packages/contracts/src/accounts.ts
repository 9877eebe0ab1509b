/** What `services/accounts` answers and tells. */
import Joi from 'joi';
import { defineBroadcast, defineOperation } from './contract.js';

/** An API key as the gateway needs it. `token_digest` is the SHA-256 of the Auth Token, in hex. */
export interface ApiKey {
  auth_id: string;
  token_digest: string;
  account_id: string;
  tenant_id: string;
  account_status: 'active' | 'suspended';
  currency: string;
  billing_mode: 'prepaid' | 'postpaid';
}

const authId = Joi.string().max(64);

/** The keys among `auth_ids` that exist and are not revoked; unknown ones are left out. */
export const findKeys = defineOperation<{ auth_ids: string[] }, { keys: ApiKey[] }>('accounts.find-keys', {
  request: Joi.object({ auth_ids: Joi.array().items(authId).max(1_000).required() }),
  reply: Joi.object({
    keys: Joi.array()
      .items(
        Joi.object({
          auth_id: authId.required(),
          token_digest: Joi.string().hex().length(64).required(),
          account_id: Joi.string().uuid().required(),
          tenant_id: Joi.string().required(),
          account_status: Joi.string().valid('active', 'suspended').required(),
          currency: Joi.string().length(3).required(),
          billing_mode: Joi.string().valid('prepaid', 'postpaid').required(),
        }),
      )
      .required(),
  }),
});

/** Keys were rotated or revoked, or their account was suspended or resumed: forget what is cached of them. */
export const keysChanged = defineBroadcast<{ auth_ids: string[] }>(
  'accounts.keys-changed',
  Joi.object({ auth_ids: Joi.array().items(authId).required() }),
);

/** Whom to write to about an account. */
export interface Contact {
  name: string;
  /** The primary address. */
  email: string;
}

/** The contact of the account of a tenant. Errors: NOT_FOUND. */
export const findContact = defineOperation<{ tenant_id: string }, Contact>('accounts.contact', {
  request: Joi.object({ tenant_id: Joi.string().max(64).required() }),
  reply: Joi.object({ name: Joi.string().required(), email: Joi.string().required() }),
});
