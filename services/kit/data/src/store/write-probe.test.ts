import { CodedError } from '@florin/rpc/errors';
import { quietLogger, waitFor } from '@florin/rpc/testing';
import { mongo } from 'mongoose';
import { afterEach, describe, expect, it } from 'vitest';
import { testEngines } from '../testing/index.ts';
import { openStore, type Store } from './store.ts';
import { startWriteProbe, WRITE_PROBES, type WriteProbe, writeLargeProbe, writeProbeDocument } from './write-probe.ts';

let probe: WriteProbe | undefined;
let store: Store | undefined;
afterEach(async () => {
  await probe?.close();
  await store?.close();
  [probe, store] = [undefined, undefined];
});

const start = (write: () => Promise<unknown>, writeLarge: () => Promise<unknown> = async () => undefined): WriteProbe => {
  probe = startWriteProbe({ write, writeLarge, logger: quietLogger, intervalMs: 5 });
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

  it('rejects from a write of the service that found no space until the engine takes a large document', async () => {
    const noSpace = new mongo.MongoServerError({ message: 'could not extend file: No space left on device', code: 4293 });
    let [isFull, large] = [true, 0];
    const started = start(
      async () => undefined,
      async () => {
        large += 1;
        if (isFull) throw noSpace;
      },
    );
    started.observe(new CodedError('CARD_NOT_FOUND'));
    started.observe(new mongo.MongoServerError({ message: 'duplicate key', code: 11_000 }));
    await started.check();
    started.observe(new CodedError('SERVICE_UNAVAILABLE', { cause: noSpace }));
    await expect(started.check()).rejects.toThrow('No space left on device');
    await waitFor('large documents', async () => (large > 2 ? true : undefined));
    await expect(started.check()).rejects.toThrow('No space left on device');
    isFull = false;
    await waitFor('an accepted document', async () => ((await rejects(started)) === undefined ? true : undefined));
  });

  it('does not take a small document for space when a write of the service found none meanwhile', async () => {
    const noSpace = new mongo.MongoServerError({ message: 'could not extend file: No space left on device', code: 4293 });
    let [isFull, large] = [true, 0];
    const small = Promise.withResolvers<void>();
    const started = start(
      () => small.promise,
      async () => {
        large += 1;
        if (isFull) throw noSpace;
      },
    );
    started.observe(noSpace);
    small.resolve();
    await waitFor('large documents', async () => (large > 2 ? true : undefined));
    await expect(started.check()).rejects.toThrow('No space left on device');
    isFull = false;
    await waitFor('an accepted document', async () => ((await rejects(started)) === undefined ? true : undefined));
  });

  it('leaves no large document behind, nor those of processes that were killed', async () => {
    const { mongodbUri, database } = testEngines();
    store = await openStore({ uri: mongodbUri, database, poolSize: 8, logger: quietLogger });
    const { connection } = store;
    const records = connection.collection<{ _id: string }>(WRITE_PROBES);
    await writeProbeDocument(connection, new Date(0));
    await records.insertOne({ _id: 'large-write-probe-of-another' });
    await writeLargeProbe(connection);
    expect((await records.find({}).toArray()).map(({ _id }) => _id)).toEqual(['write-probe']);
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
    expect(await connection.collection(WRITE_PROBES).countDocuments({})).toBe(1);
  });
});
