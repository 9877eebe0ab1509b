export { startPlatform, type Platform, type PlatformOptions } from './platform.js';
export { startEmbeddedPostgres, type EmbeddedPostgres } from './postgres.js';
export { backends, services } from './services.js';
