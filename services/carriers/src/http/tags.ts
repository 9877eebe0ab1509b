import type { Tag } from '@trunkline/http';

export const CARRIERS: Tag = {
  name: 'Carriers',
  description: 'SIP carriers that an account brings, their routes and their health',
};

export const DEFAULT_CARRIERS: Tag = {
  name: 'Default carriers',
  description: "The platform's own carriers, in every account's pool",
};

export const ROUTING: Tag = { name: 'Routing', description: 'Why a call would leave through which carrier' };
