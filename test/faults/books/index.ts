import { prepareEvm, startPlatform } from '@florin/local';
import { waitFor } from '@florin/rpc/testing/wait-for';
import { pause } from '@florin/rpc/time';
import { benchEnvironment, ROOT } from '../../support/settings.ts';
import { auditJournal } from '../audit.ts';
import { createFaultNetwork } from '../cards/network.ts';
import { auditSaver, reconcile } from '../chain/audit.ts';
import { type FaultChain, startFaultChain } from '../chain/fault-chain.ts';
import { type FaultRun, inDataDir } from '../in-data-dir.ts';
import { killOne, victimsOf } from '../kill-one.ts';
import { createPersistentClient } from '../persistent-client.ts';
import { auditBooks } from './audit.ts';
import { openBooks } from './open-books.ts';
import { newPayer, spendOnAndOn } from './payer.ts';

export type BooksFaultOptions = {
  kills: number;
  /** Names of the processes that are killed. Default: those that keep one of the three books, and their database. */
  only?: readonly string[] | undefined;
  /** People with a Safe and a card. Of three, one leaves, and one changes what may be collected. */
  people?: number;
  report: (line: string) => void;
  /** Uniform in [0, 1); selects the processes, the times of the kills, and what people, nodes and chain do. */
  random?: () => number;
};

export type BooksFaultResult = { records: number; collected: bigint; problems: string[] };

const VICTIMS: readonly string[] = ['chain', 'ledger', 'settlement', 'ferretdb', 'postgres', 'mongod'];

/** Kills between two times of quiet. */
const KILLS_IN_PHASE = 4;
const RECOVERY_MS = 180_000;
const PAUSE_MS = 3000;

const troubleBooksIn = async (
  { dataDir, report }: FaultRun,
  { kills, only = VICTIMS, people = 4, random = Math.random }: BooksFaultOptions,
): Promise<BooksFaultResult> => {
  // Own engines, even if the environment names others: they are killed.
  const { MONGODB_URI: _mongodb, REDIS_URL: _redis, ...own } = benchEnvironment();
  if (!(await prepareEvm(own, report))) throw new Error('the run needs a local chain');
  const chain = await startFaultChain(random);
  const closers = [chain.close];
  try {
    const platform = await startPlatform({ rootDir: ROOT, dataDir, env: { ...own, ...chain.environment }, report });
    closers.push(platform.stop);
    const books = await openBooks(platform, dataDir, chain);
    closers.push(books.close);
    const victims = victimsOf(platform, only);
    const api = createPersistentClient(platform.urls.gateway);
    const network = createFaultNetwork(books.connection);
    const spending = { api, chain, random, network, books };
    const problems: string[] = [];
    const payers = await Promise.all(Array.from({ length: people }, () => newPayer(spending)));
    report(`${people} people have a Safe and a card`);

    let [steps, killed] = [0, 0];
    /** Lets people spend while there is trouble, then waits until the books agree. */
    const phase = async (last: number): Promise<void> => {
      let [over, late] = [false, false];
      chain.trouble(true);
      const working = payers.map(async (payer, index) => {
        const done = (): void => {
          steps += 1;
        };
        await spendOnAndOn(spending, payer, { index, over: () => over, estranged: () => late && last === kills, done }).catch(
          (error: unknown) => problems.push(`unexpected: ${error instanceof Error ? error.message : String(error)}`),
        );
      });
      while (killed < last) {
        const before = steps;
        await waitFor('a step after a kill', async () => (steps > before || problems.length > 0 ? true : undefined), RECOVERY_MS);
        await pause(random() * PAUSE_MS);
        killed += 1;
        report(`kill ${killed} of ${kills}: ${await killOne(platform, victims, random)}`);
        late = killed >= last - 1;
      }
      const hasAllHappened = () => wasTroubled(chain) && payers.some(({ spent }) => spent > 0);
      const happened = async () => (hasAllHappened() || problems.length > 0 ? true : undefined);
      await waitFor('the chain to have been reorganized, the nodes to have misbehaved, and a payment', happened, RECOVERY_MS);
      over = true;
      await Promise.all(working);
      chain.trouble(false);
      problems.push(...(await auditBooks(books, payers)), ...(await reconcile(dataDir, report)));
      report(`quiet after ${steps} steps: ${amountsOf(await books.read(payers))}`);
    };
    for (let last = Math.min(KILLS_IN_PHASE, kills); ; last = Math.min(last + KILLS_IN_PHASE, kills)) {
      await phase(last);
      if (last === kills || problems.length > 0) break;
    }

    for (const payer of payers) problems.push(...(await auditSaver(api, chain, payer)));
    const journal = await auditJournal(platform);
    problems.push(...journal.problems);
    const collected = await chain.token.balanceOf(chain.treasury);
    if (collected === 0n) problems.push('nothing was collected, so that was not verified');
    report(journal.summary);
    report(`records of the network: ${books.records()}, repeated events: ${network.repeats()}, repeated requests: ${api.repeats()}`);
    report(problems.length === 0 ? 'network, ledger and chain agree' : problems.join('\n'));
    return { records: books.records(), collected, problems };
  } finally {
    for (const close of closers.toReversed()) await close();
  }
};

/** Prints amounts. */
const amountsOf = (books: object): string =>
  JSON.stringify(books, (_key, value: unknown) => (typeof value === 'bigint' ? Number(value) : value));

/** Reports whether the chain was reorganized with transactions in it, and its nodes failed, lagged and lied. */
const wasTroubled = (chain: FaultChain): boolean =>
  chain.reorganized().dropped > 0 && Object.values(chain.troubles()).every((times) => times > 0);

/**
 * People pay by card, get refunds, withdraw, are paid, leave through their Delay modules, and change what may be collected, on a local chain that is reorganized and whose
 * nodes fail, lag and lie, while chain, ledger, settlement and the database are killed with SIGKILL. After some kills everything comes to rest, and network, ledger
 * and chain say the same: in total, item by item, and Safe by Safe.
 */
export const troubleBooks = (options: BooksFaultOptions): Promise<BooksFaultResult> =>
  inDataDir({ name: 'books', report: options.report }, (run) => troubleBooksIn(run, options));
