import Joi from 'joi';
import { defineConfig, setting } from '@trunkline/service';

export interface Config {
  secretOverlapHours: number;
  disableAfterDays: number;
  emailProvider: '' | 'sandbox' | 'smtp' | 'postmark';
  emailFrom: string;
  emailRatePerSecond: number;
  emailRateBurst: number;
  smtpUrl: string;
  postmarkBaseUrl: string;
  postmarkServerToken: string;
  postmarkMessageStream: string;
}

const optional = Joi.string().allow('').default('');

export const config = defineConfig<Config>({
  secretOverlapHours: setting(
    'WEBHOOK_SECRET_OVERLAP_HOURS',
    Joi.number().min(0).default(24),
    'deliveries are signed with the old secret too for so long after a rotation',
  ),
  disableAfterDays: setting(
    'WEBHOOK_DISABLE_AFTER_DAYS',
    Joi.number().min(0.001).default(5),
    'a subscription whose deliveries all fail for so long is switched off',
  ),
  emailProvider: setting(
    'EMAIL_PROVIDER',
    Joi.string<Config['emailProvider']>().valid('sandbox', 'smtp', 'postmark', '').default(''),
    'who sends e-mails; the sandbox in embedded mode, else it must be set',
  ),
  emailFrom: setting('EMAIL_FROM', optional, 'sender of all e-mails'),
  emailRatePerSecond: setting(
    'EMAIL_RATE_PER_SECOND',
    Joi.number().positive().default(10),
    'e-mails that a tenant may send in a second',
  ),
  emailRateBurst: setting(
    'EMAIL_RATE_BURST',
    Joi.number().integer().min(1).default(20),
    'e-mails that a tenant may send at once',
  ),
  smtpUrl: setting('SMTP_URL', optional, 'mail server, with user name and password: smtps://…'),
  postmarkBaseUrl: setting(
    'POSTMARK_BASE_URL',
    Joi.string()
      .uri({ scheme: ['http', 'https'] })
      .default('https://api.postmarkapp.com'),
    "address of Postmark's API",
  ),
  postmarkServerToken: setting('POSTMARK_SERVER_TOKEN', optional, 'server token of Postmark'),
  postmarkMessageStream: setting(
    'POSTMARK_MESSAGE_STREAM',
    Joi.string().default('outbound'),
    'message stream of Postmark',
  ),
});
