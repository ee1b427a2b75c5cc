import { openStore, rawCollection } from '@florin/data/store';
import { predictSafeAddress } from '@florin/evm/safe';
import { DEFAULT_ASSETS } from '@florin/rpc/assets';
import { toCodedError } from '@florin/rpc/errors';
import { systemRuntime } from '@florin/rpc/runtime';
import { quietLogger } from '@florin/rpc/testing';
import { pause } from '@florin/rpc/time';
import type { Account } from '../domain/account.ts';
import { accountActivated, accountOpened } from '../domain/account-change.ts';
import type { Intent } from '../domain/draft-block.ts';
import { inputHash } from '../domain/input-hash.ts';
import { userAccount } from '../domain/ledger-account.ts';
import { referenceCandidate } from '../domain/reference.ts';
import { transferOrdered } from '../domain/transfer-order.ts';
import { type Journal, openJournal } from '../journal/journal.ts';
import { type AccountDocument, accountDocument, createAccounts } from '../store/accounts.ts';
import { createBlockStore } from '../store/blocks.ts';
import { createCheckpointStore } from '../store/checkpoints.ts';
import { createRunStore } from '../store/entry-runs.ts';
import { createHolds } from '../store/holds.ts';
import { createMovements } from '../store/movements.ts';
import { createPageStore } from '../store/pages.ts';
import { createProjections } from '../store/projections.ts';
import { createScreenings } from '../store/screenings.ts';

const SHARD = '0';
const PER_CALL = 2000;
const CALLERS = 4;
const MAX_TRIES = 60;
const RETRY_MS = 500;
const REPORT_EVERY = 500_000;
const RECORDS_PER_INSERT = 1000;
const OWNER = '0x52908400098527886E0F7030069857D2E4169EE7';

export type Filling = {
  mongodbUri: string;
  database: string;
  /** Accounts to open, activate and fund. Nothing is told of them: their records have no events. */
  newAccounts: readonly string[];
  /** The initial balance of each of them, and the token of all transfers. */
  funds: bigint;
  token: string;
  /** Accounts that pay each other one smallest unit at a time: at least 98, so that nobody pays to itself. */
  payers: readonly string[];
  transfers: number;
  report: (line: string) => void;
};

/** The record of an account that nobody asked to open, and its payment reference. */
const recordOf = (id: string): AccountDocument => {
  const { chainId, nativeCurrency, additionalCurrencies } = DEFAULT_ASSETS.accounts;
  const [userId, now] = [systemRuntime.newId(), systemRuntime.now()];
  const account: Account = {
    id,
    userId,
    kycProfileId: userId,
    safeOwnerAddress: OWNER,
    safeAddress: predictSafeAddress(id, [OWNER]),
    chainId,
    chainName: DEFAULT_ASSETS.chains.find((chain) => chain.id === chainId)?.name ?? '',
    reference: referenceCandidate(id, 0),
    nativeCurrency,
    additionalCurrencies,
    status: 'provisioning',
    createdAt: now,
    updatedAt: now,
  };
  return accountDocument(account, inputHash(userId, userId, OWNER.toLowerCase()), []);
};

/** Opens the journal of the only shard in this process. No ledger may own it meanwhile. */
const open = async (mongodbUri: string, database: string) => {
  const store = await openStore({ uri: mongodbUri, database, poolSize: 8, logger: quietLogger });
  const { connection } = store;
  const blocks = createBlockStore(connection);
  const checkpoints = createCheckpointStore(connection);
  const accounts = createAccounts(connection, systemRuntime);
  const projections = createProjections({
    accounts,
    movements: createMovements(connection),
    holds: createHolds(connection),
    screenings: createScreenings(connection),
    announce: false,
  });
  const [pages, runs] = [createPageStore(connection), createRunStore(connection)];
  await store.ready();
  const journal = await openJournal({
    shard: SHARD,
    epoch: Math.max(await blocks.lastEpoch(SHARD), (await checkpoints.load(SHARD)).epoch) + 1,
    blocks,
    checkpoints,
    projections,
    pages,
    runs,
    runtime: systemRuntime,
    logger: quietLogger,
    maxBlockEntries: 4000,
    maxQueue: 100_000,
    runEntries: 50_000,
    maxAccounts: 1_000_000,
    refreshMs: 1000,
    projectionWaitMs: 60_000,
  });
  return {
    journal,
    /** As `openAccount` does before it books, many at a time. */
    writeRecords: async (ids: readonly string[]): Promise<void> => {
      const records = ids.map(recordOf);
      const references = connection.collection<{ _id: string; accountId: string }>('references');
      await references.insertMany(records.map(({ _id, reference }) => ({ _id: reference, accountId: _id })));
      await rawCollection(accounts.model).insertMany(records);
    },
    close: async () => {
      await journal.projected();
      await journal.close();
      await store.close();
    },
  };
};

/** Books intents. A busy engine makes a call time out; their ids tell what was booked then. @throws Error when one is refused */
const book = async (journal: Journal, intents: readonly Intent[]): Promise<void> => {
  for (let tries = 1; ; tries += 1) {
    try {
      const bad = (await journal.judge(intents)).find(
        (verdict) => verdict.kind === 'refused' || (verdict.kind === 'exists' && !verdict.same),
      );
      if (bad !== undefined) throw new Error(`an entry was not booked: ${JSON.stringify(bad)}`);
      return;
    } catch (error) {
      if (toCodedError(error).code !== 'SERVICE_UNAVAILABLE' || tries === MAX_TRIES) throw error;
      await pause(RETRY_MS);
    }
  }
};

const orders = function* ({ newAccounts, funds, token, payers, transfers }: Filling): Generator<Intent> {
  const order = (accountId: string, debit: string, credit: string, amount: bigint): Intent =>
    transferOrdered({ id: systemRuntime.newId(), accountId, transfers: [{ debit, credit, token, amount }] });
  for (const id of newAccounts) {
    yield accountOpened(id);
    yield accountActivated(id);
    yield order(id, 'settlement', userAccount(id, 'available'), funds);
  }
  const at = (index: number): string => payers[index % payers.length] ?? '';
  for (let index = 0; index < transfers; index += 1) {
    const [debit, credit] = [at(index * 7919), at(index * 7919 + 1 + (index % 97))];
    yield order(debit, userAccount(debit, 'available'), userAccount(credit, 'available'), 1n);
  }
};

/**
 * Writes accounts and transfers past the RPCs, by the journal's own code: for journals that would take too long call by call.
 * @throws Error when an entry was refused
 */
export const fillJournal = async (filling: Filling): Promise<void> => {
  const { mongodbUri, database, newAccounts, transfers, report } = filling;
  const { journal, writeRecords, close } = await open(mongodbUri, database);
  const total = newAccounts.length * 3 + transfers;
  const rest = orders(filling);
  let done = 0;
  const take = (): Intent[] => {
    const some: Intent[] = [];
    while (some.length < PER_CALL) {
      const { value, done: isOver } = rest.next();
      if (isOver === true) break;
      some.push(value);
    }
    return some;
  };
  const work = async (): Promise<void> => {
    for (let some = take(); some.length > 0; some = take()) {
      await book(journal, some);
      const before = done;
      done += some.length;
      if (Math.floor(done / REPORT_EVERY) > Math.floor(before / REPORT_EVERY)) report(`${done} of ${total} entries`);
    }
  };
  try {
    for (let from = 0; from < newAccounts.length; from += RECORDS_PER_INSERT)
      await writeRecords(newAccounts.slice(from, from + RECORDS_PER_INSERT));
    await Promise.all(Array.from({ length: CALLERS }, work));
  } finally {
    await close();
  }
};
