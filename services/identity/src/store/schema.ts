import type { Schema } from '@florin/data/migrations';

/** The schema that this release knows. */
export const SCHEMA: Schema = {
  version: 2,
  reads: 1,
  migrations: [
    {
      version: 2,
      name: 'every signing key has the time from which it signs',
      kind: 'expand',
      collection: 'signing_keys',
      due: { signsFrom: { $exists: false } },
      update: [{ $set: { signsFrom: '$createdAt' } }],
    },
  ],
};
