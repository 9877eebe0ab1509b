import type { AnyService } from '@trunkline/service';
import { service as accounts } from '@trunkline/accounts';
import { service as carriers } from '@trunkline/carriers';
import { service as gateway } from '@trunkline/gateway';
import { service as notifications } from '@trunkline/notifications';
import { service as webhookDispatcher } from '@trunkline/webhook-dispatcher';

/** The services behind the gateway, in the order in which they start. */
export const backends: readonly AnyService[] = [accounts, carriers, notifications, webhookDispatcher];

export { gateway };

/** Every service of the platform; a new one is added here once. */
export const services: readonly AnyService[] = [...backends, gateway];
