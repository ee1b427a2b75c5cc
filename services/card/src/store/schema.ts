import type { Schema } from '@florin/data/migrations';
import { mongo } from 'mongoose';

/** The schema that this release knows. */
export const SCHEMA: Schema = {
  version: 2,
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
  ],
};
