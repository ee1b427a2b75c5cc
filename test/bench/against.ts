import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Platform, startPlatform } from '@florin/local';
import { createApiClient } from '../support/api-client.ts';
import { benchEnvironment, ROOT } from '../support/settings.ts';
import { createCard, newWallet, raiseChallenge, registerPerson, signTypedData, type TypedData } from '../support/story.ts';
import { type JsonClient, openJsonClient } from './json-client.ts';
import { median, percentile, type Row } from './row.ts';
import { signInOnce } from './sign-ins.ts';

const CALLERS = 32;

/** Fewer than the callers: a network address gets 30 one-time passwords an hour. */
const PEOPLE = 16;

const ROUNDS = 5;
const PER_CALLER = 5;
const PREPARED_AT_ONCE = 4;

type Report = (line: string) => void;

/** A piece of work that one caller repeats. `prepare` runs before the clock starts. */
type Work = { prepare: () => Promise<() => Promise<unknown>> };

/** What one checkout does: its callers at work, and the end of its platform. */
type Side = { name: string; callers: Work[]; stop: () => Promise<void> };

/** Starts the platform of a checkout by its own code, with a data directory of its own. */
const startCheckout = async (rootDir: string, report: Report): Promise<{ platform: Platform; stop: () => Promise<void> }> => {
  const local = (await import(pathToFileURL(join(rootDir, 'deploy/local/src/index.ts')).href)) as { startPlatform: typeof startPlatform };
  const dataDir = await mkdtemp(join(tmpdir(), 'florin-bench-'));
  const platform = await local.startPlatform({ rootDir, dataDir, env: benchEnvironment(), report });
  return {
    platform,
    stop: async () => {
      await platform.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
};

/** A full decision: typed data, signature, decision. The challenge is raised before the clock starts. */
const decisionWork = async (client: JsonClient, gateway: string): Promise<Work> => {
  const api = createApiClient(gateway);
  const person = await registerPerson(api);
  const cardId = await createCard(api, person.token);
  return {
    prepare: async () => {
      const path = `/3ds/challenges/${await raiseChallenge(api, person.token, cardId, { expiresInSeconds: 900 })}`;
      return async () => {
        const typedData = await client.post<TypedData>(`${path}/decision-challenge`, person.token, { decision: 'approve' });
        const signature = await signTypedData(person.wallet, typedData);
        await client.post(`${path}/decision`, person.token, { decision: 'approve', signature });
      };
    },
  };
};

/** A sign-in: message, signature, tokens. */
const signInWork = async (client: JsonClient): Promise<Work> => {
  const wallet = newWallet();
  return { prepare: async () => () => signInOnce(client, wallet) };
};

const openSide = async (rootDir: string, kind: 'decisions' | 'sign-ins', name: string, report: Report): Promise<Side> => {
  const { platform, stop } = await startCheckout(rootDir, report);
  const { gateway } = platform.urls;
  const client = openJsonClient(gateway);
  const callers: Work[] = [];
  while (callers.length < PEOPLE) callers.push(await (kind === 'decisions' ? decisionWork(client, gateway) : signInWork(client)));
  callers.push(...callers.slice(0, CALLERS - PEOPLE));
  return {
    name,
    callers,
    stop: async () => {
      await client.close();
      await stop();
    },
  };
};

const round = async ({ callers }: Side): Promise<{ perSecond: number; p99: number }> => {
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
  return { perSecond: (latencies.length / (performance.now() - started)) * 1000, p99: percentile(latencies, 0.99) };
};

/**
 * Compares this checkout with another one (`--against DIR`, with its dependencies installed): both platforms run at the same time, and
 * rounds of work alternate between them, so that both see the same machine. The load generator, signing included, is this checkout's.
 */
export const benchAgainst = async (kind: 'decisions' | 'sign-ins', against: string, report: Report): Promise<Row[]> => {
  const sides = [await openSide(ROOT, kind, 'this checkout', report), await openSide(resolve(against), kind, 'the other checkout', report)];
  try {
    const results = new Map(sides.map(({ name }) => [name, [] as Awaited<ReturnType<typeof round>>[]]));
    for (const side of sides) await round(side);
    for (let count = 1; count <= ROUNDS; count += 1) {
      for (const side of sides) {
        report(`${kind}: round ${count} of ${ROUNDS}, ${side.name}`);
        results.get(side.name)?.push(await round(side));
      }
    }
    const rateOf = (name: string): number => median((results.get(name) ?? []).map(({ perSecond }) => perSecond));
    const p99Of = (name: string): number => median((results.get(name) ?? []).map(({ p99 }) => p99));
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
    ];
  } finally {
    for (const { stop } of sides) await stop();
  }
};
