import { type ChallengeDetail, signTypedData, type TypedData } from '../support/story.ts';
import { openJsonClient } from './json-client.ts';
import { median, percentile, type Row } from './row.ts';
import { sized } from './sized.ts';
import type { Holder, Stage } from './stage.ts';

const ROUNDS = sized(3, 1);
const DECISIONS_PER_CALLER = sized(40, 2);
const WARM_UP_PER_CALLER = sized(15, 1);

/**
 * Full decisions: typed data, signature, decision. Every caller is a person who decides challenges one after the other; the challenges
 * are created beforehand. Signing is included.
 */
export const benchDecisions = async ({ platform, holders, raise, report }: Stage): Promise<Row[]> => {
  const client = openJsonClient(platform.urls.gateway);
  const decide = async ({ person }: Holder, id: string): Promise<number> => {
    const started = performance.now();
    const path = `/3ds/challenges/${id}`;
    const typedData = await client.post<TypedData>(`${path}/decision-challenge`, person.token, { decision: 'approve' });
    const signature = await signTypedData(person.wallet, typedData);
    const body = { decision: 'approve', signature };
    const { challenge } = await client.post<ChallengeDetail>(`${path}/decision`, person.token, body);
    if (challenge.decision !== 'approve') throw new Error(`${id} is ${challenge.status} instead of approved; the result is invalid`);
    return performance.now() - started;
  };

  const round = async (perCaller: number) => {
    const work = await Promise.all(
      holders.map(async (holder) => {
        const ids: string[] = [];
        for (let index = 0; index < perCaller; index += 1) ids.push(await raise(holder));
        return { holder, ids };
      }),
    );
    const started = performance.now();
    const latencies = await Promise.all(
      work.map(async ({ holder, ids }) => {
        const each: number[] = [];
        for (const id of ids) each.push(await decide(holder, id));
        return each;
      }),
    );
    const seconds = (performance.now() - started) / 1000;
    const all = latencies.flat();
    return { perSecond: all.length / seconds, p50: percentile(all, 0.5), p99: percentile(all, 0.99) };
  };

  await round(WARM_UP_PER_CALLER);
  const results: Awaited<ReturnType<typeof round>>[] = [];
  for (let count = 1; count <= ROUNDS; count += 1) {
    report(`decisions: round ${count} of ${ROUNDS}`);
    results.push(await round(DECISIONS_PER_CALLER));
  }
  await client.close();
  const name = `full decisions at ${holders.length} callers`;
  return [
    { name, value: median(results.map(({ perSecond }) => perSecond)), unit: 'decisions/s' },
    { name: `${name} p50`, value: median(results.map(({ p50 }) => p50)), unit: 'ms' },
    { name: `${name} p99`, value: median(results.map(({ p99 }) => p99)), unit: 'ms' },
  ];
};
