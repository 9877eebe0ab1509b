/** What `services/notifications` answers. */
import Joi from 'joi';
import { defineOperation } from './contract.js';

export interface SendEmailRequest {
  tenant_id: string;
  to_email: string;
  /** The template's own when it is left out. */
  subject?: string;
  template_id: string;
  /** Fills the template; stored encrypted until the e-mail has left. */
  template_data?: Record<string, string>;
  /** Asking again with the same key, within the tenant, sends nothing more and answers the same e-mail. */
  idempotency_key: string;
}

/**
 * An e-mail of the platform itself, such as a one-time code or a receipt: not held to the rate of the tenant. Accepted means it is
 * sent, or fails and shows so in the tenant's log. Errors: TEMPLATE_NOT_FOUND.
 */
export const sendEmail = defineOperation<SendEmailRequest, { id: string; status: string }>(
  'notifications.send-email',
  {
    request: Joi.object({
      tenant_id: Joi.string().max(64).required(),
      to_email: Joi.string().email({ tlds: false }).max(254).required(),
      subject: Joi.string().max(255),
      template_id: Joi.string().max(100).required(),
      template_data: Joi.object().pattern(Joi.string(), Joi.string().allow('')),
      idempotency_key: Joi.string().max(255).required(),
    }),
    reply: Joi.object({ id: Joi.string().uuid().required(), status: Joi.string().required() }),
  },
);
