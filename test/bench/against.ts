import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Platform, startPlatform } from '@florin/local';
import { createApiClient } from '../support/api-client.ts';
import { benchEnvironment, ROOT } from '../support/settings.ts';
import { createCard, raiseChallenge, registerPerson, signTypedData, type TypedData } from '../support/story.ts';
import { type JsonClient, openJsonClient } from './json-client.ts';
import { nativeWallet } from './native-wallet.ts';
import { processorByRoot } from './process-times.ts';
import { median, percentile, type Row } from './row.ts';
import { signInOnce } from './sign-ins.ts';
import { sized } from './sized.ts';

const CALLERS = 32;

/** Fewer than the callers: a network address gets 30 one-time passwords an hour. */
const PEOPLE = 16;

const ROUNDS = sized(5, 1);
const PER_CALLER = sized(10, 2);
/** Rounds before the first one that counts: until the code of all processes is compiled, they need up to twice the processor time. */
const WARM_UP_ROUNDS = sized(3, 1);
const PREPARED_AT_ONCE = 4;
const PREPARE_ATTEMPTS = 5;

type Report = (line: string) => void;

/** A piece of work that one caller repeats. `prepare` runs before the clock starts. */
type Work = { prepare: () => Promise<() => Promise<unknown>> };

/** The activity of one checkout: its callers at work, its processes by pid, and the end of its platform. */
type Side = { name: string; callers: Work[]; processes: ReadonlyMap<number, string>; stop: () => Promise<void> };

type Result = {
  perSecond: number;
  p99: number;
  /** Processor time per piece of work in microseconds, by process; that of the load generator includes signing. */
  processor: ReadonlyMap<string, number>;
};

/** Starts the platform of a checkout by its own code, with a data directory of its own. */
export const startCheckout = async (
  rootDir: string,
  report: Report,
  more: NodeJS.ProcessEnv = {},
): Promise<{ platform: Platform; dataDir: string; stop: () => Promise<void> }> => {
  const local = (await import(pathToFileURL(join(rootDir, 'deploy/local/src/index.ts')).href)) as { startPlatform: typeof startPlatform };
  const dataDir = await mkdtemp(join(tmpdir(), 'florin-bench-'));
  const platform = await local.startPlatform({ rootDir, dataDir, env: { ...benchEnvironment(), ...more }, report });
  return {
    platform,
    dataDir,
    stop: async () => {
      await platform.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
};

/** Repeats preparations, which are not measured, when a service does not respond in time on a busy machine. */
const persistently = async <T>(prepare: () => Promise<T>): Promise<T> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await prepare();
    } catch (error) {
      if (attempt === PREPARE_ATTEMPTS) throw error;
    }
  }
};

/** A full decision: typed data, signature, decision. The challenge is raised before the clock starts. */
const decisionWork = async (client: JsonClient, gateway: string): Promise<Work> => {
  const api = createApiClient(gateway);
  const person = await registerPerson(api, nativeWallet());
  const cardId = await createCard(api, person.token);
  return {
    prepare: async () => {
      const challengeId = await persistently(() => raiseChallenge(api, person.token, cardId, { expiresInSeconds: 900 }));
      const path = `/3ds/challenges/${challengeId}`;
      return async () => {
        const typedData = await client.post<TypedData>(`${path}/decision-challenge`, person.token, { decision: 'approve' });
        const signature = await signTypedData(person.wallet, typedData);
        await client.post(`${path}/decision`, person.token, { decision: 'approve', signature });
      };
    },
  };
};

/** A sign-in: message, signature, tokens. Each is of another wallet, because a wallet signs in rarely. */
const signInWork = async (client: JsonClient): Promise<Work> => ({
  prepare: async () => {
    const wallet = nativeWallet();
    return () => signInOnce(client, wallet);
  },
});

const processesOf = (platform: Platform): Map<number, string> =>
  new Map(platform.processes().flatMap(({ name, pid }) => (pid === undefined ? [] : [[pid, name] as const])));

export const openSide = async (rootDir: string, kind: 'decisions' | 'sign-ins', name: string, report: Report): Promise<Side> => {
  const { platform, stop } = await startCheckout(rootDir, report);
  const { gateway } = platform.urls;
  const client = openJsonClient(gateway);
  const callers: Work[] = [];
  while (callers.length < PEOPLE) callers.push(await (kind === 'decisions' ? decisionWork(client, gateway) : signInWork(client)));
  callers.push(...callers.slice(0, CALLERS - PEOPLE));
  return {
    name,
    callers,
    processes: processesOf(platform).set(process.pid, 'load generator'),
    stop: async () => {
      await client.close();
      await stop();
    },
  };
};

export const round = async ({ callers, processes }: Side): Promise<Result> => {
  const prepared: (() => Promise<unknown>)[][] = [];
  // A few at a time: this part is not measured, and must not time out on a slow machine.
  for (let at = 0; at < callers.length; at += PREPARED_AT_ONCE) {
    const some = callers.slice(at, at + PREPARED_AT_ONCE).map(async ({ prepare }) => {
      const steps: (() => Promise<unknown>)[] = [];
      while (steps.length < PER_CALLER) steps.push(await prepare());
      return steps;
    });
    prepared.push(...(await Promise.all(some)));
  }
  const latencies: number[] = [];
  const before = processorByRoot(processes);
  const started = performance.now();
  await Promise.all(
    prepared.map(async (steps) => {
      for (const step of steps) {
        const begun = performance.now();
        await step();
        latencies.push(performance.now() - begun);
      }
    }),
  );
  const seconds = (performance.now() - started) / 1000;
  const used = [...processorByRoot(processes)].map(([name, time]) => [name, (time - (before.get(name) ?? 0)) / latencies.length] as const);
  return { perSecond: latencies.length / seconds, p99: percentile(latencies, 0.99), processor: new Map(used) };
};

/** Processor time per piece of work, of each process and of all, next to that of the other checkout. */
const processorRows = (kind: string, ours: readonly Result[], theirs: readonly Result[], peer: string): Row[] => {
  const medianOf = (results: readonly Result[], name: string): number => median(results.map(({ processor }) => processor.get(name) ?? 0));
  const names = [...(ours[0]?.processor.keys() ?? [])];
  const sums = [ours, theirs].map((results) => names.reduce((sum, name) => sum + medianOf(results, name), 0)) as [number, number];
  const row = (name: string, value: number, peerValue: number): Row => ({
    name: `${kind} processor time: ${name}`,
    value,
    unit: 'µs',
    peer,
    ratio: value / peerValue,
  });
  return [...names.map((name) => row(name, medianOf(ours, name), medianOf(theirs, name))), row('all', ...sums)];
};

/**
 * Compares this checkout with another one (`--against DIR`, with its dependencies installed): both platforms run at the same time, and
 * rounds of work alternate between them, so that both see the same machine. The load generator, signing included, is this checkout's.
 */
export const benchAgainst = async (kind: 'decisions' | 'sign-ins', against: string, report: Report): Promise<Row[]> => {
  const sides = [await openSide(ROOT, kind, 'this checkout', report), await openSide(resolve(against), kind, 'the other checkout', report)];
  try {
    const results = new Map(sides.map(({ name }) => [name, [] as Result[]]));
    for (let count = 1; count <= WARM_UP_ROUNDS; count += 1) for (const side of sides) await round(side);
    for (let count = 1; count <= ROUNDS; count += 1) {
      for (const side of sides) {
        report(`${kind}: round ${count} of ${ROUNDS}, ${side.name}`);
        results.get(side.name)?.push(await round(side));
      }
    }
    const resultsOf = (name: string): Result[] => results.get(name) ?? [];
    const rateOf = (name: string): number => median(resultsOf(name).map(({ perSecond }) => perSecond));
    const p99Of = (name: string): number => median(resultsOf(name).map(({ p99 }) => p99));
    const [ours, theirs] = sides.map(({ name }) => name) as [string, string];
    return [
      {
        name: `${kind} at ${CALLERS} callers`,
        value: rateOf(ours),
        unit: `${kind}/s`,
        peer: theirs,
        ratio: rateOf(ours) / rateOf(theirs),
      },
      { name: `${kind} p99`, value: p99Of(ours), unit: 'ms', peer: theirs, ratio: p99Of(ours) / p99Of(theirs) },
      { name: theirs, value: rateOf(theirs), unit: `${kind}/s` },
      ...processorRows(kind, resultsOf(ours), resultsOf(theirs), theirs),
    ];
  } finally {
    for (const { stop } of sides) await stop();
  }
};
