export { defineBroadcast, defineOperation, type Broadcast, type Operation } from './contract.js';
export {
  defineEvent,
  defineTopic,
  eventEnvelope,
  eventsTopic,
  type EventContract,
  type EventEnvelope,
  type Topic,
} from './events.js';
export { eventCatalogue } from './event-catalogue.js';
export * as accountsContract from './accounts.js';
export * as carriersContract from './carriers.js';
export * as notificationsContract from './notifications.js';
export * as webhooksContract from './webhooks.js';
