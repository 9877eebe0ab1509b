import Joi from 'joi';
import { pageQuery, readOnly, uuid, type Page } from '@trunkline/http';
import { AUTH_ID } from '../domain/identifiers.js';
import type { AccountChanges } from '../use-cases/change-account.js';
import type { AccountInput } from '../use-cases/create-account.js';

const authId = Joi.string().pattern(AUTH_ID);
const name = Joi.string().max(200);
const email = Joi.string().email({ tlds: false }).max(320);
const status = Joi.string<'active' | 'suspended'>().valid('active', 'suspended');
const billingMode = Joi.string<'prepaid' | 'postpaid'>().valid('prepaid', 'postpaid');
const currency = Joi.string()
  .pattern(/^[A-Z]{3}$/)
  .description('ISO 4217');
const baseLimit = Joi.number()
  .integer()
  .min(0)
  .max(1_000_000)
  .description('Concurrent calls, inbound and outbound together');
const timestamp = Joi.string().isoDate();

export const accountParams = Joi.object<{ id: string }>({ id: uuid.required() });
export const keyParams = Joi.object<{ key_id: string }>({ key_id: authId.required() });
export const pageSchema = Joi.object<Page>(pageQuery);

export const createAccountBody = Joi.object<AccountInput>({
  name: name.required(),
  email: email.required().description('Primary address: notices of the platform go there'),
  billing_mode: billingMode.default('prepaid'),
  currency: currency.default('USD'),
  base_limit: baseLimit.default(10),
  ...readOnly('id', 'tenant_id', 'status', 'created_at'),
});

export const changeAccountBody = Joi.object<AccountChanges>({
  name,
  email,
  status,
  billing_mode: billingMode,
  base_limit: baseLimit,
  ...readOnly('id', 'tenant_id', 'currency', 'created_at'),
});

export const account = Joi.object({
  id: uuid.required(),
  tenant_id: authId.required(),
  name: name.required(),
  email: email.required(),
  status: status.required(),
  billing_mode: billingMode.required(),
  currency: currency.required(),
  base_limit: baseLimit.required(),
  created_at: timestamp.required(),
}).id('Account');

const keyFields = {
  auth_id: authId.required(),
  account_id: uuid.required(),
  created_at: timestamp.required(),
};

export const apiKey = Joi.object(keyFields).id('ApiKey');

export const issuedKey = Joi.object({
  ...keyFields,
  auth_token: Joi.string()
    .pattern(/^[0-9a-f]{32}$/)
    .required()
    .description('Shown once'),
}).id('IssuedApiKey');
