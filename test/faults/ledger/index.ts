import { waitFor } from '@florin/rpc/testing/wait-for';
import { pause } from '@florin/rpc/time';
import { openLedgerCluster } from '../../support/ledger-cluster.ts';
import { type Network, openNetwork } from '../../support/network-namespaces.ts';
import { FAILOVER, FAILOVERS, type FailingEngines, startFailingEngines } from '../failover.ts';
import { type FaultRun, inDataDir } from '../in-data-dir.ts';
import { auditLedger } from './audit.ts';
import { createLoad, newTold, openFaultAccounts } from './load.ts';
import { createPatient } from './patient.ts';
import { openTerms, type Terms } from './terms.ts';
import { cutOffRedis, freezeEngine, freezeLedger, jumpClock, killOne, partition, pullCable, type Scene, slowOpenings } from './trouble.ts';

export type LedgerFaultOptions = {
  /** How many processes are killed in all. */
  kills: number;
  callers?: number;
  /** Runs each ledger in a network namespace of its own, where they are allowed: what is cut off then gets no answer at all. Default: no. */
  namespaces?: boolean;
  /** MongoDB is a replica set that fails over, instead of being killed. */
  failover?: boolean;
  report: (line: string) => void;
  /** Uniform in [0, 1). */
  random?: () => number;
};

export type LedgerFaultResult = {
  operations: number;
  entries: number;
  refused: number;
  repeats: number;
  kills: Record<string, number>;
  problems: string[];
};

const INSTANCES = 2;
const ACCOUNTS = 20;
const CALL_TIMEOUT_MS = 6000;
const MIN_PAUSE_MS = 500;
const MORE_PAUSE_MS = 2000;
const LEDGER_FREEZE_MS = 6000;
const ENGINE_FREEZE_MS = 8000;
/** Longer than a lease. */
const CUT_MS = 5000;
const EFFECT_MS = 60_000;

const networkFor = async ({ report }: FaultRun, { namespaces = false }: LedgerFaultOptions): Promise<Network | undefined> => {
  if (!namespaces) return undefined;
  try {
    return await openNetwork(INSTANCES);
  } catch (error) {
    const [line = ''] = String(error).trim().split('\n').slice(-1);
    report(`skipped: partitions by network namespaces, which are not allowed here (${line})`);
    return undefined;
  }
};

const seconds = (ms: number): string => `${ms / 1000} s at least`;

/** The faults of the ledgers besides kills, by name. */
const faultsOf = (scene: Scene, inNamespaces: boolean): [what: string, fault: () => Promise<unknown>][] => {
  const cable: [string, () => Promise<void>] = [`a ledger's cable is pulled for ${seconds(CUT_MS)}`, () => pullCable(scene, CUT_MS)];
  return [
    [`a ledger is stopped for ${seconds(LEDGER_FREEZE_MS)}`, () => freezeLedger(scene, LEDGER_FREEZE_MS)],
    [`a ledger is cut off from Redis for ${seconds(CUT_MS)}`, () => cutOffRedis(scene, CUT_MS)],
    [`the ledgers do not reach each other for ${seconds(CUT_MS)}`, () => partition(scene, CUT_MS)],
    ...(inNamespaces ? [cable] : []),
    [`the clock of a ledger is an hour ahead for ${seconds(CUT_MS)}`, () => jumpClock(scene, 1, CUT_MS)],
    [`the clock of a ledger is an hour behind for ${seconds(CUT_MS)}`, () => jumpClock(scene, -1, CUT_MS)],
    [`a ledger opens a journal while the engine is stopped for ${CUT_MS / 1000} s`, () => slowOpenings(scene, CUT_MS)],
    [`the engine is stopped for ${ENGINE_FREEZE_MS / 1000} s`, () => freezeEngine(scene, ENGINE_FREEZE_MS)],
  ];
};

const troubleLedgerIn = async (run: FaultRun, options: LedgerFaultOptions): Promise<LedgerFaultResult> => {
  const { dataDir, report } = run;
  const { kills, callers = 8, failover = false, random = Math.random } = options;
  // A relay into a namespace knows one address of MongoDB.
  const network = failover ? undefined : await networkFor(run, options);
  let failing: FailingEngines | undefined;
  const startFailing = async (engines: Parameters<typeof startFailingEngines>[0]): Promise<FailingEngines> => {
    failing = await startFailingEngines(engines, random);
    return failing;
  };
  const opening = openLedgerCluster({
    instances: INSTANCES,
    respawn: true,
    breakable: true,
    network,
    dataDir,
    callTimeoutMs: CALL_TIMEOUT_MS,
    environment: { JOURNAL_SHARDS: '2', ENTRY_IDS_PER_SHARD: 'true', LOG_LEVEL: 'warn' },
    ...(failover ? { start: startFailing } : {}),
    report,
  });
  const cluster = await opening.catch(async (error: unknown) => {
    await network?.close();
    throw error;
  });
  let terms: Terms | undefined;
  try {
    terms = await openTerms(cluster);
    const patient = createPatient(cluster, random);
    const accounts = await openFaultAccounts(patient, ACCOUNTS);
    const told = newTold();
    const problems: string[] = [];
    const work = createLoad(patient, accounts, told, random);
    let over = false;
    const loops = Array.from({ length: callers }, async () => {
      while (!over) {
        try {
          await work();
        } catch (error) {
          problems.push(`a definite answer was wrong: ${error instanceof Error ? error.message : String(error)}`);
        }
      }
    });

    const killed: Record<string, number> = {};
    for (let count = 1; count <= kills; count += 1) {
      await pause(MIN_PAUSE_MS + random() * MORE_PAUSE_MS);
      // Half of the kills strike a ledger that works, however slow the machine; the others may strike one that starts.
      const before = told.operations;
      if (random() < 0.5) await waitFor('work', async () => told.operations > before || undefined, EFFECT_MS).catch(() => undefined);
      const isFailover = failing !== undefined && random() < FAILOVERS;
      if (isFailover) await failing?.failOver();
      const name = isFailover ? FAILOVER : killOne(cluster, random);
      if (name === undefined) continue;
      killed[name] = (killed[name] ?? 0) + 1;
      report(`kill ${count} of ${kills}: ${name} (${told.operations} operations so far)`);
    }
    const database = failing?.database ?? cluster.engines.processes;
    const scene: Scene = { cluster, terms, random, repeats: patient.repeats, database };
    for (const [what, fault] of faultsOf(scene, network !== undefined)) {
      await pause(MORE_PAUSE_MS);
      report(`${what} (${told.operations} operations so far)`);
      await fault().catch((error: unknown) => problems.push(`${what}, which had no effect: ${String(error)}`));
    }
    await pause(MORE_PAUSE_MS);
    const paid = waitFor('a user to pay another', async () => (told.betweenUsers > 0 ? true : undefined), EFFECT_MS);
    await paid.catch((error: unknown) => problems.push(String(error)));
    over = true;
    await Promise.all(loops);

    report('audit');
    const audit = await auditLedger(cluster, patient, accounts, told);
    problems.push(...audit.problems);
    if (told.written.size === 0) problems.push('nothing was written, hence nothing was tested');
    report(
      `${told.operations} operations, ${told.written.size} entries acknowledged (${told.betweenUsers} between users), ${audit.entries} in the journal, ` +
        `${told.refused.size} refused, ${patient.repeats()} calls repeated, kills: ${JSON.stringify(killed)}`,
    );
    report(problems.length === 0 ? 'nothing is lost, nothing is doubled, nothing refused is there' : problems.join('\n'));
    return {
      operations: told.operations,
      entries: audit.entries,
      refused: told.refused.size,
      repeats: patient.repeats(),
      kills: killed,
      problems,
    };
  } finally {
    await terms?.close();
    await cluster.close();
    await network?.close();
  }
};

/**
 * Two ledger instances serve two shards under load, while random processes are killed, an owner is stopped beyond its lease, cut off
 * from Redis or from the other one, or has a wrong clock, journals open slowly, and the engine does not respond. A fault that shows no
 * effect is a problem: it has tested nothing. Afterwards everything that was acknowledged is there once, nothing that was refused is, and
 * all adds up.
 */
export const troubleLedger = (options: LedgerFaultOptions): Promise<LedgerFaultResult> =>
  inDataDir({ name: 'ledger', report: options.report }, (run) => troubleLedgerIn(run, options));
