import type { Connection } from 'mongoose';

/** Collections that hold nothing but what follows from the journal. */
export const DERIVED: readonly string[] = [
  'entry_runs',
  'entry_run_parts',
  'deposits',
  'withdrawals',
  'open_holds',
  'pending_screenings',
  'balance_pages',
  'checkpoints',
];

/** Documents that one command removes, so that it ends long before its time is over. */
const DOCUMENTS_PER_COMMAND = 5000;

/** Removes all documents of a collection, so many at a time. */
const empty = async (connection: Connection, name: string): Promise<void> => {
  const collection = connection.collection<{ _id: string }>(name);
  for (;;) {
    const some = await collection
      .find({}, { projection: { _id: 1 } })
      .limit(DOCUMENTS_PER_COMMAND)
      .toArray();
    await collection.deleteMany({ _id: { $in: some.map(({ _id }) => _id) } });
    if (some.length < DOCUMENTS_PER_COMMAND) return;
  }
};

/** Empties everything that can be derived from the journal. */
export const dropDerived = async (connection: Connection): Promise<void> => {
  // Checkpoints first: a ledger without them derives everything; with them, it would not notice what is missing.
  await empty(connection, 'checkpoints');
  for (const name of DERIVED) await empty(connection, name);
  await connection.collection('accounts').updateMany({}, { $set: { status: 'provisioning', asOf: 0 } });
};
