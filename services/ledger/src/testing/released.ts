import { openStore, type Store } from '@florin/data/store';
import { quietLogger } from '@florin/rpc/testing';
import { afterEach } from 'vitest';
import { type ledgerEnvironment, randomTxHash, startLedger, type TestLedger } from './world.ts';

let releases: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const release of releases.reverse()) await release();
  releases = [];
});

export type Environment = ReturnType<typeof ledgerEnvironment>;
export type StoreOverrides = Parameters<typeof startLedger>[1];
type Document = { _id: string; [field: string]: unknown };

/** Starts a ledger that is closed after the test, or earlier by the test itself. */
export const startReleased = async (environment: Environment, overrides: StoreOverrides = {}): Promise<TestLedger> => {
  const ledger = await startLedger(environment, overrides);
  let open = true;
  const close = async () => {
    if (open) await ledger.close();
    open = false;
  };
  releases.push(close);
  return { ...ledger, close };
};

/** Opens a connection to the ledger's database that is closed after the test. */
export const openDatabase = async (environment: Environment): Promise<Store['connection']> => {
  const uri = environment['MONGODB_URI'] ?? '';
  const { connection, close } = await openStore({ uri, database: environment['MONGODB_DATABASE'] ?? '', poolSize: 4, logger: quietLogger });
  releases.push(close);
  return connection;
};

/** Returns the collections of the ledger's database by name. */
export const openCollections = async (environment: Environment) => {
  const connection = await openDatabase(environment);
  return (name: string) => connection.collection<Document>(name);
};

/** The driver's error when the engine cannot be reached. */
export const engineDown = () => Object.assign(new Error('connection reset'), { name: 'MongoNetworkError' });

/** A deposit of 77 to an account, in a transaction of its own. */
export const recordRequest = (accountId: string) => ({
  accountId,
  chainId: 100,
  txHash: randomTxHash(),
  logIndex: 0,
  token: 'EURe',
  amount: '77',
});
