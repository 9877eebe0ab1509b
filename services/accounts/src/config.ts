import { defineConfig } from '@trunkline/service';

/** This service has no settings of its own beyond those of every service. */
export const config = defineConfig<Record<never, never>>({});
