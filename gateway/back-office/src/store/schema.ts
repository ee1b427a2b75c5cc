import { FIRST_SCHEMA } from '@florin/data/migrations';

/** What this release knows of its database. */
export const SCHEMA = FIRST_SCHEMA;
