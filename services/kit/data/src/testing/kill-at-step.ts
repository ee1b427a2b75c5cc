import fs from 'node:fs/promises';
import { flushCompileCache, syncBuiltinESMExports } from 'node:module';
import { processEnvironment } from '@florin/rpc/config';
import mongoose from 'mongoose';

/**
 * Loaded before a command (`--import`), this kills its process with SIGKILL just before one of its writes: the KILL_AT_STEP-th change
 * of a collection, or of a file's name. With KILL_AT_STEP=0 the command runs to its end and prints how many there are. With KILL_COLLECTIONS, names with commas between
 * them, only changes of these collections count: those of a server that does other work beside what a test looks at.
 */
const KILL_AT = Number(processEnvironment()['KILL_AT_STEP'] ?? 0);

const COLLECTIONS = processEnvironment()['KILL_COLLECTIONS']?.split(',');

let steps = 0;
const step = (): void => {
  steps += 1;
  if (steps !== KILL_AT) return;
  // Node writes its compile cache on exit only.
  flushCompileCache();
  process.kill(process.pid, 'SIGKILL');
};

const countCalls = (of: Record<string, unknown>, names: readonly string[]): void => {
  for (const name of names) {
    const real = of[name] as (...args: unknown[]) => unknown;
    of[name] = function (this: unknown, ...args: unknown[]) {
      if (COLLECTIONS === undefined || COLLECTIONS.includes((this as { collectionName?: string }).collectionName ?? '')) step();
      return real.apply(this, args);
    };
  }
};

countCalls(mongoose.mongo.Collection.prototype as unknown as Record<string, unknown>, [
  'bulkWrite',
  'deleteMany',
  'deleteOne',
  'findOneAndUpdate',
  'insertMany',
  'insertOne',
  'replaceOne',
  'updateMany',
  'updateOne',
]);
countCalls(fs as unknown as Record<string, unknown>, ['link', 'unlink']);
syncBuiltinESMExports();

process.on('exit', () => {
  if (KILL_AT === 0) process.stdout.write(`steps ${steps}\n`);
});
