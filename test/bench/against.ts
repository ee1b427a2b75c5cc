import { createApiClient } from '../support/api-client.ts';
import { createCard, raiseChallenge, registerPerson, signTypedData, type TypedData } from '../support/story.ts';
import { type Checkout, measureProcessor, withCheckouts } from './checkouts.ts';
import { type JsonClient, openJsonClient } from './json-client.ts';
import { nativeWallet } from './native-wallet.ts';
import { median, percentile, type Row } from './row.ts';
import { signInOnce } from './sign-ins.ts';
import { sized } from './sized.ts';

const CALLERS = sized(32, 4);

/** Fewer than the callers: a network address gets 30 one-time passwords an hour. */
const PEOPLE = sized(16, 2);

const ROUNDS = sized(5, 1);
const PER_CALLER = sized(10, 2);
/** Rounds before the first one that counts: until the code of all processes is compiled, they need up to twice the processor time. */
const WARM_UP_ROUNDS = sized(3, 1);
const PREPARED_AT_ONCE = 4;
const PREPARE_ATTEMPTS = 5;

type Report = (line: string) => void;
type Kind = 'decisions' | 'sign-ins';

/** A piece of work that one caller repeats. `prepare` runs before the clock starts. */
type Work = { prepare: () => Promise<() => Promise<unknown>> };

/** The activity of one checkout: its callers at work, and their results. */
type Side = { checkout: Checkout; callers: Work[]; results: Result[]; close: () => Promise<void> };

type Result = {
  perSecond: number;
  p99: number;
  /** Processor time per piece of work in microseconds, by process; that of the load generator includes signing. */
  processor: ReadonlyMap<string, number>;
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

const openSide = async (checkout: Checkout, kind: Kind): Promise<Side> => {
  const { gateway } = checkout.platform.urls;
  const client = openJsonClient(gateway);
  const callers: Work[] = [];
  while (callers.length < PEOPLE) callers.push(await (kind === 'decisions' ? decisionWork(client, gateway) : signInWork(client)));
  callers.push(...callers.slice(0, CALLERS - PEOPLE));
  return { checkout, callers, results: [], close: client.close };
};

const round = async (checkouts: readonly Checkout[], { checkout, callers }: Side): Promise<Result> => {
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
  const { processor } = await measureProcessor(checkouts, checkout, () =>
    Promise.all(
      prepared.map(async (steps) => {
        for (const step of steps) {
          const begun = performance.now();
          await step();
          latencies.push(performance.now() - begun);
        }
      }),
    ),
  );
  const seconds = (performance.now() - started) / 1000;
  const each = [...processor].map(([name, time]) => [name, time / latencies.length] as const);
  return { perSecond: latencies.length / seconds, p99: percentile(latencies, 0.99), processor: new Map(each) };
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

/** Compares this checkout with another one (`--against DIR`). Signing is this checkout's too. */
export const benchAgainst = (kind: Kind, against: string, report: Report): Promise<Row[]> =>
  withCheckouts(against, { report }, async (checkouts) => {
    const sides: Side[] = [];
    for (const checkout of checkouts) sides.push(await openSide(checkout, kind));
    for (let count = 1; count <= WARM_UP_ROUNDS; count += 1) for (const side of sides) await round(checkouts, side);
    for (let count = 1; count <= ROUNDS; count += 1) {
      for (const side of sides) {
        report(`${kind}: round ${count} of ${ROUNDS}, ${side.checkout.name}`);
        side.results.push(await round(checkouts, side));
      }
    }
    for (const { close } of sides) await close();
    const [ours, theirs] = sides as [Side, Side];
    const peer = theirs.checkout.name;
    const rateOf = ({ results }: Side): number => median(results.map(({ perSecond }) => perSecond));
    const p99Of = ({ results }: Side): number => median(results.map(({ p99 }) => p99));
    return [
      { name: `${kind} at ${CALLERS} callers`, value: rateOf(ours), unit: `${kind}/s`, peer, ratio: rateOf(ours) / rateOf(theirs) },
      { name: `${kind} p99`, value: p99Of(ours), unit: 'ms', peer, ratio: p99Of(ours) / p99Of(theirs) },
      { name: peer, value: rateOf(theirs), unit: `${kind}/s` },
      ...processorRows(kind, ours.results, theirs.results, peer),
    ];
  });
