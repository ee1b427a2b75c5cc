import { randomBytes, randomUUID } from 'node:crypto';
import mongoose from 'mongoose';

const PER_INSERT = 1000;
const REPORT_EVERY = 100_000;

/**
 * Writes records of accounts past the RPCs, as copies of one that was opened, with ids and Safes of their own: a million calls would take too long. They
 * have no entries in the journal, which nothing looks for until one of them gets money.
 */
export const addAccountRecords = async (mongodbUri: string, count: number, report: (line: string) => void): Promise<void> => {
  const database = await mongoose.createConnection(mongodbUri, { dbName: 'florin_ledger' }).asPromise();
  try {
    const records = database.collection<{ _id: string }>('accounts');
    const one = await records.findOne({});
    if (one === null) throw new Error('there is no account to copy');
    for (let done = 0; done < count; done += PER_INSERT) {
      const copies = Array.from({ length: Math.min(PER_INSERT, count - done) }, () => {
        const _id = randomUUID();
        const safeAddress = `0x${randomBytes(20).toString('hex')}`;
        return { ...one, _id, userId: randomUUID(), safeAddress, reference: _id, outbox: [] };
      });
      await records.insertMany(copies, { ordered: false });
      if (done % REPORT_EVERY === 0) report(`${done} of ${count} further accounts`);
    }
  } finally {
    await database.close();
  }
};
