import type { Connection } from 'mongoose';

/** Collections that hold nothing but what follows from the journal. */
export const DERIVED: readonly string[] = [
  'entries',
  'deposits',
  'withdrawals',
  'open_holds',
  'pending_screenings',
  'balance_pages',
  'checkpoints',
];

/** Empties everything that can be derived from the journal. */
export const dropDerived = async (connection: Connection): Promise<void> => {
  // First: without checkpoints a ledger derives everything anew, with checkpoints and without the rest it would miss it.
  await connection.collection('checkpoints').deleteMany({});
  for (const name of DERIVED) await connection.collection(name).deleteMany({});
  await connection.collection('accounts').updateMany({}, { $set: { status: 'provisioning', asOf: 0 } });
};
