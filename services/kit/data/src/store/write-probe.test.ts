import { quietLogger, waitFor } from '@florin/rpc/testing';
import { mongo } from 'mongoose';
import { afterEach, describe, expect, it } from 'vitest';
import { testEngines } from '../testing/index.ts';
import { openStore, type Store } from './store.ts';
import { DATABASE_RECORDS, startWriteProbe, type WriteProbe, writeProbeDocument } from './write-probe.ts';

let probe: WriteProbe | undefined;
let store: Store | undefined;
afterEach(async () => {
  await probe?.close();
  await store?.close();
  [probe, store] = [undefined, undefined];
});

const start = (write: () => Promise<unknown>): WriteProbe => {
  probe = startWriteProbe({ write, logger: quietLogger, intervalMs: 5 });
  return probe;
};
const rejects = async ({ check }: WriteProbe): Promise<true | undefined> =>
  check().then(
    () => undefined,
    () => true as const,
  );

describe('a write probe', () => {
  it('rejects from a write that the engine rejects until one that it accepts', async () => {
    let failure: Error | undefined;
    let writes = 0;
    const started = start(async () => {
      writes += 1;
      if (failure !== undefined) throw failure;
    });
    await waitFor('an accepted write', async () => (writes > 0 ? true : undefined));
    await started.check();
    failure = new mongo.MongoServerError({ message: 'could not extend file: No space left on device', code: 1 });
    await waitFor('a rejected write', () => rejects(started));
    await expect(started.check()).rejects.toThrow('No space left on device');
    failure = undefined;
    await waitFor('an accepted write', async () => ((await rejects(started)) === undefined ? true : undefined));
  });

  it('ignores an engine that does not respond', async () => {
    let writes = 0;
    const started = start(() => {
      writes += 1;
      return Promise.reject(new mongo.MongoNetworkTimeoutError('timed out'));
    });
    await waitFor('some writes', async () => (writes > 2 ? true : undefined));
    await started.check();
  });

  it('keeps one document, however many processes write it', async () => {
    const { mongodbUri, database } = testEngines();
    store = await openStore({ uri: mongodbUri, database, poolSize: 8, logger: quietLogger });
    const { connection } = store;
    await Promise.all(Array.from({ length: 8 }, (_, index) => writeProbeDocument(connection, new Date(index))));
    expect(await connection.collection(DATABASE_RECORDS).countDocuments({})).toBe(1);
  });
});
