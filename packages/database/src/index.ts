export { applyMigrations } from './migrations.js';
export { openDatabase, type Database, type DatabaseDefinition } from './database.js';
export { isUniqueViolation } from './unique-violation.js';
