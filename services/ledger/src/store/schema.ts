import type { Schema } from '@florin/data/migrations';

/** The schema that this release knows. */
export const SCHEMA: Schema = {
  version: 2,
  reads: 1,
  migrations: [
    {
      version: 2,
      // Also of those that their Safe has blocked, which the records do not tell apart: UnblockAccount takes it back.
      name: 'somebody has decided to block the accounts that are blocked',
      kind: 'expand',
      collection: 'accounts',
      due: { status: 'blocked', decidedBlockAt: { $exists: false }, successorAccountId: { $exists: false } },
      update: [{ $set: { decidedBlockAt: '$updatedAt' } }],
    },
  ],
};
