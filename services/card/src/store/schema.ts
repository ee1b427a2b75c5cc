import type { Schema } from '@florin/data/migrations';
import { mongo } from 'mongoose';

const OTHER_IDS = { $ifNull: ['$otherIds', []] };

/** The ids of a payment's transaction that its events had, and by which it cannot be found. */
const MISSING_IDS = {
  $setDifference: [
    { $setUnion: [{ $ifNull: ['$events.transactionId', []] }, { $ifNull: ['$events.network.transactionId', []] }] },
    { $setUnion: [OTHER_IDS, ['$transactionId', '$networkTransactionId']] },
  ],
};

/** The schema that this release knows. */
export const SCHEMA: Schema = {
  version: 5,
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
    {
      version: 4,
      name: 'payments are found by the ids of all of their events',
      kind: 'expand',
      collection: 'payments',
      due: { $expr: { $gt: [{ $size: MISSING_IDS }, 0] } },
      update: [{ $set: { otherIds: { $setUnion: [OTHER_IDS, MISSING_IDS] } } }],
    },
    {
      version: 5,
      name: 'the index that counts payments has their amounts',
      // Earlier instances count by the shorter one.
      kind: 'contract',
      collection: 'payments',
      dropIndexes: ['outcome_1_createdAt_1'],
    },
  ],
};
