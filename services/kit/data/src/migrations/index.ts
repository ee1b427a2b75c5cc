export { type MigrateOptions, migrate } from './migrate.ts';
export { runMigrations } from './run-migrations.ts';
export { FIRST_SCHEMA, requireSchema, type Schema } from './schema.ts';
