import { readFileSync } from 'node:fs';
import { ensureKeys, startPlatform } from '@florin/local';
import { BalanceService } from '@florin/proto/ledger/v1/balance_service';
import { LEDGER_SCOPES } from '@florin/proto/ledger/v1/scopes';
import { waitFor } from '@florin/rpc/testing/wait-for';
import { pause } from '@florin/rpc/time';
import { connectCardNetwork } from '../../support/card-network.ts';
import { BEHIND_PROXY } from '../../support/customer-address.ts';
import { openOperatorChannel } from '../../support/operator-channel.ts';
import { benchEnvironment, ROOT } from '../../support/settings.ts';
import { auditJournal } from '../audit.ts';
import { onEngines, startFailingEngines } from '../failover.ts';
import { type FaultRun, inDataDir } from '../in-data-dir.ts';
import { strike, victimsOf } from '../kill-one.ts';
import { createPersistentClient } from '../persistent-client.ts';
import { auditHolder, auditNumbers, suspendedBy } from './audit.ts';
import { type Holder, issueOnAndOn, newHolder, payOnAndOn } from './load.ts';
import { createFaultNetwork } from './network.ts';

export type CardFaultOptions = {
  kills: number;
  /** Names of the processes that are killed. Default: every process that a payment passes, and the engines. */
  only?: readonly string[] | undefined;
  /** MongoDB is a replica set that fails over, instead of being killed. */
  failover?: boolean;
  /** Cardholders who pay at the same time. */
  holders?: number;
  report: (line: string) => void;
  /** Uniform in [0, 1); selects the processes, the times of the kills, and the payments. */
  random?: () => number;
};

export type CardFaultResult = { payments: number; kills: Record<string, number>; problems: string[] };

/** Every process that a payment passes, and the engines; of the databases the one that there is. */
const VICTIMS: readonly string[] = ['card', 'vault', 'ledger', 'threeds', 'redis', 'ferretdb', 'postgres', 'mongod'];

/** Events that are answered between two kills, so that each kill meets payments under way; then a random pause. */
const EVENTS_BETWEEN = 10;
/** Longer than the minute for which the gateway's marker of a request stays when Redis is killed before the marker is released: all payers may wait for theirs. */
const RECOVERY_MS = 90_000;
const PAUSE_MS = 1000;

const troubleCardsIn = async (
  { dataDir, report }: FaultRun,
  { kills, only = VICTIMS, holders: count = 6, failover = false, random = Math.random }: CardFaultOptions,
): Promise<CardFaultResult> => {
  // Own engines, even if the environment names others: they are killed.
  const { MONGODB_URI: _mongodb, REDIS_URL: _redis, ...env } = benchEnvironment();
  const engines = failover ? await startFailingEngines({ dataDir, env, report }, random) : undefined;
  const platform = await startPlatform({ rootDir: ROOT, dataDir, env: { ...env, ...onEngines(engines), ...BEHIND_PROXY }, report });
  const keys = await ensureKeys(dataDir);
  const operatorKey: unknown = JSON.parse(readFileSync(keys.keyFile('operator'), 'utf8'));
  const connection = connectCardNetwork(platform.urls.card, operatorKey);
  try {
    const victims = victimsOf(platform, only);
    const api = createPersistentClient(platform.urls.gateway);
    const network = createFaultNetwork(connection);
    const surroundings = { api, network, random };
    const payers = await Promise.all(Array.from({ length: count }, () => newHolder(api)));

    const problems: string[] = [];
    const killed: Record<string, number> = {};
    let over = false;
    const watched = (work: Promise<void>): Promise<void> =>
      work.catch((error: unknown) => {
        problems.push(`unexpected answer: ${error instanceof Error ? error.message : String(error)}`);
      });
    const paying = payers.map((holder) => watched(payOnAndOn(surroundings, holder, () => over)));
    const untilPaying = async (): Promise<void> => {
      const before = network.answered();
      const enough = async () => (network.answered() >= before + EVENTS_BETWEEN ? true : undefined);
      try {
        await waitFor('payments after a kill', enough, RECOVERY_MS);
      } catch (error) {
        // A payer whose event got an unexpected answer has stopped, which may be the reason.
        const lines = ['nothing was paid after a kill', ...problems, ...network.unanswered(), ...api.unanswered()];
        throw new Error(lines.join('\n'), { cause: error });
      }
    };
    const issued: Holder[] = [];
    const issuing = watched(issueOnAndOn(surroundings, issued, () => over));

    for (let number = 1; number <= kills; number += 1) {
      await untilPaying();
      await pause(random() * PAUSE_MS);
      const name = await strike(platform, victims, random, engines);
      killed[name] = (killed[name] ?? 0) + 1;
      report(`kill ${number} of ${kills}: ${name}`);
    }
    await untilPaying();
    over = true;
    await Promise.all([...paying, issuing]);

    for (const holder of [...payers, ...issued]) problems.push(...(await auditHolder(api, connection, holder)));
    for (const { payments } of payers) for (const payment of payments) problems.push(...(await network.repeatAll(payment)));
    // Repeats have changed nothing.
    for (const holder of payers) problems.push(...(await auditHolder(api, connection, holder)));
    problems.push(...auditNumbers(issued));
    const expected = suspendedBy(payers.flatMap((holder) => holder.payments));
    let suspended = 0;
    // Entries that could not be booked at once are booked later.
    const agrees = async () => {
      suspended = await suspendedAt(platform.urls.ledger, operatorKey);
      return suspended === expected || undefined;
    };
    await waitFor('the suspense to agree', agrees, RECOVERY_MS).catch(() => undefined);
    if (suspended !== expected) problems.push(`${suspended} cents are in suspense instead of ${expected}`);
    const journal = await auditJournal(platform);
    problems.push(...journal.problems);

    const payments = payers.reduce((sum, holder) => sum + holder.payments.length, 0);
    if (payments === 0) problems.push('nothing was paid, so nothing was verified');
    report(journal.summary);
    report(
      `payments: ${payments}, cards issued: ${issued.length}, repeated events: ${network.repeats()}, kills: ${JSON.stringify(killed)}`,
    );
    report(problems.length === 0 ? 'nothing is missing, nothing is doubled, nothing stays held' : problems.join('\n'));
    return { payments, kills: killed, problems };
  } finally {
    await connection.close();
    await platform.stop();
    await engines?.stop();
  }
};

/** Returns the ledger's suspense, in cents. */
const suspendedAt = async (baseUrl: string, operatorKey: unknown): Promise<number> => {
  const ledger = openOperatorChannel({ operatorKey }, { audience: 'ledger', baseUrl, scopes: [LEDGER_SCOPES.readBalances] });
  try {
    const { balances } = await ledger.client(BalanceService).getSystemBalances({});
    const row = balances.find(({ name, token }) => name === 'suspense' && token === 'EURe');
    return Number(BigInt(row?.balance ?? '0') / 10n ** 16n);
  } finally {
    await ledger.close();
  }
};

/**
 * Cardholders pay, approve payments in the app, order cards and look at their data while processes and engines are killed with SIGKILL. Afterwards
 * every answered event is on record and has the same answer when it is repeated; holds, limits and balances agree with the records; nothing is held
 * for an authorization that was given up and not recorded; the journal verifies.
 */
export const troubleCards = (options: CardFaultOptions): Promise<CardFaultResult> =>
  inDataDir({ name: 'cards', report: options.report }, (run) => troubleCardsIn(run, options));
