import Joi from 'joi';
import { pageQuery, readOnly, uuid, type Page } from '@trunkline/http';
import type { EmailStatus } from '../domain/email-status.js';
import type { EmailRequest } from '../use-cases/accept-email.js';
import { filterText, timestamp } from './webhooks.schemas.js';

export const emailParams = Joi.object<{ id: string }>({ id: uuid.required() });

const address = Joi.string().max(254).email({ tlds: false, allowUnicode: false });
/** A line break in a subject would begin another header. */
const subject = Joi.string()
  .max(255)
  .pattern(/^[^\u0000-\u001f\u007f-\u009f]*$/)
  .messages({ 'string.pattern.base': '{{#label}} must not contain control characters' });
export const templateId = Joi.string()
  .pattern(/^[A-Za-z0-9_.-]{1,100}$/)
  .messages({
    'string.pattern.base': '{{#label}} must be 1 to 100 letters, digits, dots, hyphens or underscores',
  });
const status = Joi.string<EmailStatus>().valid('queued', 'sent', 'delivered', 'bounced', 'failed');
const fieldName = Joi.string().pattern(/^[A-Za-z_][A-Za-z0-9_-]{0,99}$/);
const templateData = Joi.object<Record<string, string>>()
  .pattern(fieldName, Joi.string().allow('').max(65_536))
  .max(100)
  .description('Fills the template. Stored encrypted until the e-mail has left, never shown');

const described = {
  to_email: address.required(),
  subject: subject.required(),
  template_id: templateId.required(),
};

export const sendEmailBody = Joi.object<EmailRequest>({
  ...described,
  template_data: templateData.default({}),
  ...readOnly('id', 'status'),
});

export interface EmailsQuery extends Page {
  status?: EmailStatus;
  to_email?: string;
  template_id?: string;
}

export const emailsQuery = Joi.object<EmailsQuery>({
  status,
  to_email: filterText,
  template_id: filterText,
  ...pageQuery,
});

const moment = timestamp.allow(null).required();
const shown = { id: uuid.required(), to_email: Joi.string().required(), subject: Joi.string().required() };
const base = { ...shown, template_id: Joi.string().required(), status: status.required() };

export const acceptedEmail = Joi.object(base).id('AcceptedEmail');
export const emailEntry = Joi.object({ ...base, sent_at: moment }).id('EmailEntry');
export const email = Joi.object({
  ...base,
  queued_at: timestamp.required(),
  sent_at: moment,
  delivered_at: moment,
  bounced_at: moment,
  failed_at: moment,
  bounce_reason: Joi.string().allow('', null).required(),
  bounce_type: Joi.string().allow(null).required().description('`hard` or `soft`'),
  failure_reason: Joi.string().allow('', null).required(),
}).id('Email');

export const acceptedExample = {
  id: '6a1d8e3c-0f52-4b97-a4c6-2e9b7d5f1c80',
  to_email: 'ada@example.com',
  subject: 'Your order is on its way',
  template_id: 'order-shipped',
  status: 'queued',
};
export const entryExample = { ...acceptedExample, status: 'delivered', sent_at: '2026-11-20T09:00:00.400Z' };
export const emailExample = {
  ...entryExample,
  queued_at: '2026-11-20T09:00:00.000Z',
  delivered_at: '2026-11-20T09:00:02.000Z',
  bounced_at: null,
  failed_at: null,
  bounce_reason: null,
  bounce_type: null,
  failure_reason: null,
};
