import type { SecretBox } from '@trunkline/secrets';
import type { CarrierChanges } from '../storage/carriers.js';

/** What an owner may set on a carrier, as the API names it. */
export interface CarrierFields {
  name: string;
  code?: string;
  carrier_type: 'inbound' | 'outbound' | 'bidirectional';
  sip_host: string | null;
  sip_port: number;
  transport: 'udp' | 'tcp' | 'tls';
  auth_username: string | null;
  auth_password: string | null;
  max_channels: number;
  priority: number;
  weight: number;
  health_check_url: string | null;
  config: string | null;
  codec_preferences: string[];
  country_code: string | null;
  status: 'active' | 'disabled';
}

const COLUMNS = {
  name: 'name',
  code: 'code',
  carrier_type: 'carrierType',
  sip_host: 'sipHost',
  sip_port: 'sipPort',
  transport: 'transport',
  auth_username: 'authUsername',
  max_channels: 'maxChannels',
  priority: 'priority',
  weight: 'weight',
  health_check_url: 'healthCheckUrl',
  config: 'config',
  codec_preferences: 'codecPreferences',
  country_code: 'countryCode',
  status: 'status',
} as const satisfies Record<Exclude<keyof CarrierFields, 'auth_password'>, keyof CarrierChanges>;

type Columns<F> = {
  [K in keyof F as K extends keyof typeof COLUMNS ? (typeof COLUMNS)[K] : never]: F[K];
} & { authPasswordSealed?: string | null };

/** The columns of the fields present. The password is sealed for this carrier: it opens for no other. */
export function columnsOf<F extends Partial<CarrierFields>>(
  fields: F,
  id: string,
  secrets: SecretBox,
): Columns<F> {
  const { auth_password: password } = fields;
  const columns: Record<string, unknown> = {};
  for (const [field, column] of Object.entries(COLUMNS)) {
    const value = fields[field as keyof typeof COLUMNS];
    if (value !== undefined) columns[column] = value;
  }
  if (password !== undefined)
    columns.authPasswordSealed = password && secrets.seal(password, passwordContext(id));
  return columns as Columns<F>;
}

/** What the sealed password of a carrier is bound to. */
export function passwordContext(carrierId: string): string {
  return `carrier:${carrierId}`;
}
