export { startPlatform, type Platform, type PlatformOptions } from './platform.js';
export { startEmbeddedPostgres, type EmbeddedPostgres } from './postgres.js';
export { backends, services } from './services.js';
export { startStack, type Stack, type StackOptions } from './stack.js';
export { startKafka, type KafkaBroker } from './kafka.js';
