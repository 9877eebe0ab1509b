import { carrierHealthy, carrierUnhealthy } from './carriers.js';
import type { EventContract } from './events.js';

/** Every event that the platform's services publish: which events exist, and what their `data` is. */
export const eventCatalogue: readonly EventContract[] = [carrierUnhealthy, carrierHealthy];
