import { FIRST_SCHEMA } from '@florin/data/migrations';

/** The schema that this release knows. */
export const SCHEMA = FIRST_SCHEMA;
