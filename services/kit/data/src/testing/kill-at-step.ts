import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { processEnvironment } from '@florin/rpc/config';
import mongoose from 'mongoose';

/**
 * Loaded before a command (`--import`), this kills its process with SIGKILL just before one of its writes: the KILL_AT_STEP-th change
 * of a collection, or of a file's name. With KILL_AT_STEP=0 the command runs to its end and prints how many there are.
 */
const KILL_AT = Number(processEnvironment()['KILL_AT_STEP'] ?? 0);

let steps = 0;
const step = (): void => {
  steps += 1;
  if (steps === KILL_AT) process.kill(process.pid, 'SIGKILL');
};

const countCalls = (of: Record<string, unknown>, names: readonly string[]): void => {
  for (const name of names) {
    const real = of[name] as (...args: unknown[]) => unknown;
    of[name] = function (this: unknown, ...args: unknown[]) {
      step();
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
