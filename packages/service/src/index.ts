export {
  defineService,
  type AnyService,
  type ServiceContext,
  type ServiceDefinition,
} from './define-service.js';
export { startService, type RunningService, type StartOptions } from './start-service.js';
export { runMain } from './run-main.js';
export { createLogger, type Logger } from './logger.js';
export { defineConfig, setting, type ConfigDefinition, type Environment } from './config.js';
export { platformConfig, type PlatformConfig } from './platform-config.js';
export type { Worker } from './worker.js';
export { createMetrics, type Metrics } from './metrics.js';
export { requestObserver } from './request-observer.js';
