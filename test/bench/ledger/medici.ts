import { Book, initModels } from 'medici';
import mongoose from 'mongoose';

const CALLERS = 32;

/** The peer: medici's double-entry books on the same engine, in the same run, one transfer per entry as its users write them. */
export const mediciPerSecond = async (mongodbUri: string, seconds: number): Promise<number> => {
  await mongoose.connect(mongodbUri, { dbName: 'bench_medici', writeConcern: { w: 'majority', journal: true } });
  try {
    await initModels();
    const book = new Book('bench', { maxAccountPath: 3 });
    let count = 0;
    const started = performance.now();
    const end = started + seconds * 1000;
    const account = () => `user:${Math.floor(Math.random() * 1000)}`;
    await Promise.all(
      Array.from({ length: CALLERS }, async () => {
        while (performance.now() < end) {
          await book.entry('transfer').debit(account(), 1).credit(account(), 1).commit();
          count += 1;
        }
      }),
    );
    return (count / (performance.now() - started)) * 1000;
  } finally {
    await mongoose.connection.dropDatabase();
    // Only this one: the bench has a connection of its own.
    await mongoose.connection.close();
  }
};
