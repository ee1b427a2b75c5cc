import type { Schema } from '@florin/data/migrations';
import { mongo } from 'mongoose';

/** The schema that this release knows. */
export const SCHEMA: Schema = {
  version: 3,
  reads: 1,
  migrations: [
    {
      version: 2,
      name: 'entries of spending documents are packed when they are settled',
      // Earlier instances would not find the entries. This release reads both forms, and packs the entries with the next write of a document.
      kind: 'contract',
      collection: 'spendings',
      due: { entries: { $exists: true } },
      update: { $rename: { entries: 'reserved' }, $set: { settled: new mongo.Binary(Buffer.alloc(0)) } },
    },
    {
      version: 3,
      name: 'payments have partial indexes instead of sparse ones, which cost time with every write',
      // Queries of earlier instances would not be answered by the partial ones.
      kind: 'contract',
      collection: 'payments',
      dropIndexes: ['creditExpiresAt_1', 'untold.dueAt_1', 'events.network.acquirerReference_1'],
    },
  ],
};
