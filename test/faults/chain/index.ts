import { join } from 'node:path';
import { prepareEvm, startPlatform } from '@florin/local';
import { waitFor } from '@florin/rpc/testing/wait-for';
import { pause } from '@florin/rpc/time';
import { benchEnvironment, ROOT } from '../../support/settings.ts';
import { auditJournal } from '../audit.ts';
import { type FaultRun, inDataDir } from '../in-data-dir.ts';
import { killOne, victimsOf } from '../kill-one.ts';
import { createPersistentClient } from '../persistent-client.ts';
import { startSecond } from '../second-process.ts';
import { auditSaver, reconcile } from './audit.ts';
import { startFaultChain } from './fault-chain.ts';
import { newSaver, saveOnAndOn } from './person.ts';

export type ChainFaultOptions = {
  kills: number;
  /** Names of the processes that are killed. Default: those that money on the chain passes, and the engines. */
  only?: readonly string[] | undefined;
  /** People with a Safe. In the second half of the kills every other one leaves by the Delay module, and the others announce an exit or are frozen by the issuer. */
  people?: number;
  report: (line: string) => void;
  /** Uniform in [0, 1); selects the processes, the times of the kills, and what people do. */
  random?: () => number;
};

/** The processes that money on the chain passes, and the engines; of the databases the one that there is. */
const VICTIMS: readonly string[] = ['chain', 'ledger', 'redis', 'ferretdb', 'postgres', 'mongod'];

/** Everything recovers from a kill by then, and everything that is to happen has happened. */
const RECOVERY_MS = 180_000;
const PAUSE_MS = 3000;

const troubleChainIn = async (
  { dataDir, report }: FaultRun,
  { kills, only = VICTIMS, people = 4, random = Math.random }: ChainFaultOptions,
): Promise<{ problems: string[] }> => {
  // Own engines, even if the environment names others: they are killed.
  const { MONGODB_URI: _mongodb, REDIS_URL: _redis, ...own } = benchEnvironment();
  if (!(await prepareEvm(own, report))) throw new Error('the run needs a local chain');
  const chain = await startFaultChain(random);
  const platform = await startPlatform({ rootDir: ROOT, dataDir, env: { ...own, ...chain.environment }, report });
  let second: Awaited<ReturnType<typeof startSecond>> | undefined;
  try {
    second = await startSecond(platform, 'chain', join(dataDir, 'logs', 'chain-2.log'));
    const victims = victimsOf(platform, only);
    const api = createPersistentClient(platform.urls.gateway);
    const surroundings = { api, chain, random };
    const problems: string[] = [];
    let [steps, ended, half, over] = [0, 0, false, false];
    const savers = await Promise.all(Array.from({ length: people }, () => newSaver(surroundings)));
    report(`${people} Safes are set up`);
    chain.trouble(true);
    const saving = savers.map(async (saver, index) => {
      try {
        await saveOnAndOn(surroundings, saver, {
          over: () => over,
          leaves: () => half && index % 2 === 1,
          ends: () => half && index % 2 === 0,
          done: () => {
            steps += 1;
          },
        });
      } catch (error) {
        problems.push(`unexpected: ${error instanceof Error ? error.message : String(error)}`);
      }
      ended += 1;
    });
    for (let number = 1; number <= kills; number += 1) {
      const before = steps;
      // Once all have left, what they have done is still to be booked.
      const goesOn = (): boolean => steps > before || problems.length > 0 || ended === people;
      await waitFor('a step after a kill', async () => (goesOn() ? true : undefined), RECOVERY_MS);
      await pause(random() * PAUSE_MS);
      const pid = random() < 1 / (victims.length + 1) ? second.pid() : undefined;
      if (pid !== undefined) process.kill(pid, 'SIGKILL');
      report(`kill ${number} of ${kills}: ${pid === undefined ? await killOne(platform, victims, random) : 'the second chain'}`);
      half = number * 2 >= kills;
    }
    const hasAllHappened = (): boolean =>
      chain.reorganized().dropped > 0 &&
      Object.values(chain.troubles()).every((times) => times > 0) &&
      savers.some(({ orders }) => orders.length > 0);
    await waitFor(
      'the chain to have been reorganized, the nodes to have failed, lagged and lied, and somebody to have withdrawn',
      async () => (hasAllHappened() || problems.length > 0 ? true : undefined),
      RECOVERY_MS,
    );
    over = true;
    await Promise.all(saving);
    const { failed, lagged, lied } = chain.troubles();
    const { times, dropped, vanished } = chain.reorganized();
    chain.trouble(false);

    for (const saver of savers) problems.push(...(await auditSaver(api, chain, saver)));
    problems.push(...(await reconcile(dataDir, report)));
    const journal = await auditJournal(platform);
    problems.push(...journal.problems);
    const count = (of: (saver: (typeof savers)[number]) => number): number => savers.reduce((sum, saver) => sum + of(saver), 0);
    const [orders, exits] = [count((saver) => saver.orders.length), count(({ exit }) => (exit === undefined ? 0 : 1))];
    report(`reorganizations: ${times}, which dropped ${dropped} transactions; payments that never came again: ${vanished}`);
    report(`calls of the nodes that failed: ${failed}, of an older block: ${lagged}, with a lie: ${lied}`);
    if (failed === 0 || lagged === 0 || lied === 0) problems.push('the nodes did not fail, lag and lie, so that was not verified');
    if (dropped === 0) problems.push('no transaction was in a block that was replaced, so that was not verified');
    if (savers.every(({ ended }) => ended === undefined)) problems.push('nobody announced an exit or was frozen, so that was not verified');
    if (orders === 0 || exits === 0) problems.push('nobody withdrew, or nobody left, so that was not verified');
    report(journal.summary);
    report(`exits announced and Safes frozen in blocks that may be replaced: ${count(({ ended }) => (ended === undefined ? 0 : 1))}`);
    report(
      `deposits: ${count((saver) => saver.deposits.length)}, withdrawals: ${orders}, exits: ${exits}, repeated requests: ${api.repeats()}`,
    );
    report(problems.length === 0 ? 'every transfer is booked once, and every balance agrees' : problems.join('\n'));
    return { problems };
  } finally {
    await second?.stop();
    await platform.stop();
    await chain.close();
  }
};

/**
 * People are paid on a local chain, withdraw what they sign for, and leave through their Delay modules, announce that, or are frozen by the issuer, while the chain
 * is reorganized, three nodes fail, one of them lies and one lags, and one of two chain processes, the ledger and the engines are killed with SIGKILL. Afterwards
 * every deposit is booked once, every withdrawal that is completed has one transfer on the chain and a failed one none, `balanceOf` of every Safe agrees with the ledger,
 * and the journal verifies.
 */
export const troubleChain = (options: ChainFaultOptions): Promise<{ problems: string[] }> =>
  inDataDir({ name: 'chain', report: options.report }, (run) => troubleChainIn(run, options));
