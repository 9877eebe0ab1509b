import type { Tag } from '@trunkline/http';

export const WEBHOOKS: Tag = {
  name: 'Webhooks',
  description: 'Where events are delivered to, and what became of each delivery',
};

export const NOTIFICATIONS: Tag = {
  name: 'Notifications',
  description: 'Events of your own, and the delivery log of all events',
};

export const EMAILS: Tag = {
  name: 'E-mail',
  description: 'Transactional e-mail from registered templates, and its delivery log',
};

export const SANDBOX: Tag = {
  name: 'Sandbox',
  description: 'What would have left the platform, in embedded mode',
};
