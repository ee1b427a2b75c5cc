import type { Schema } from '@florin/data/migrations';
import { setMailbox } from '../operators/mailbox.ts';

/** The schema that this release knows. */
export const SCHEMA: Schema = {
  version: 2,
  reads: 1,
  migrations: [
    {
      version: 2,
      name: 'operators have the mailbox of their address, which no other active one has',
      kind: 'expand',
      collection: 'operators',
      due: { mailbox: { $exists: false } },
      update: [setMailbox],
    },
  ],
};
