import { runMigrations } from '@florin/data/migrations';
import { SCHEMA } from './store/schema.ts';

await runMigrations('settlement', SCHEMA);
