export { startPlatform, type Platform, type PlatformOptions } from './platform.js';
export { startEmbeddedPostgres, type EmbeddedPostgres } from './postgres.js';
export { services } from './services.js';
