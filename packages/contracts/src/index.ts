export { defineBroadcast, defineOperation, type Broadcast, type Operation } from './contract.js';
export * as accountsContract from './accounts.js';
export * as carriersContract from './carriers.js';
