import type { Schema } from '@florin/data/migrations';

/** Selects approvals whose use was recorded before schema 2: the ids of its requests, without amounts and without a revision. */
export const USE_OF_SCHEMA_1 = { consumedBy: { $exists: true }, 'consumedBy.revision': { $exists: false } };

/**
 * The amounts of such requests are not known, so each of them counts with all that was approved, until the payment that presents the approval names it
 * as decided.
 */
export const toUseOfSchema2 = [
  {
    $set: {
      'consumedBy.requests': { $map: { input: '$consumedBy.requests', as: 'id', in: { id: '$$id', amount: '$amount' } } },
      'consumedBy.revision': 1,
    },
  },
];

/** The schema that this release knows. */
export const SCHEMA: Schema = {
  version: 2,
  reads: 1,
  migrations: [
    {
      version: 2,
      name: 'uses of approvals have the amounts of their requests',
      // Earlier instances cannot read amounts. This release brings each use to the present form before it reads or changes it.
      kind: 'contract',
      collection: 'challenges',
      due: USE_OF_SCHEMA_1,
      update: toUseOfSchema2,
    },
  ],
};
