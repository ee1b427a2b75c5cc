import { timestampDate } from '@bufbuild/protobuf/wkt';
import { ChallengeStatus } from '@florin/proto/threeds/v1/challenge';
import { openEventStream } from '@florin/rpc/testing/event-stream';
import { type ChallengeDetail, decide } from '../support/story.ts';
import { percentile, type Row } from './row.ts';
import { sized } from './sized.ts';
import type { Holder, Stage } from './stage.ts';

const SAMPLES = sized(300, 10);

const rowsOf = (name: string, milliseconds: readonly number[]): Row[] => [
  { name: `${name} p50`, value: percentile(milliseconds, 0.5), unit: 'ms' },
  { name: `${name} p99`, value: percentile(milliseconds, 0.99), unit: 'ms' },
];

/** Converts a time of performance.now() to the wall clock, which the service on this machine uses too. */
const wallTime = (at: number): number => performance.timeOrigin + at;

/** Milliseconds from the challenge's `created_at`, taken before it is stored, until a waiting SSE client has read the event. */
const createdToSeen = async ({ platform, threeds, raise }: Stage, holder: Holder): Promise<number[]> => {
  const stream = await openEventStream(`${platform.urls.gateway}/3ds/challenges/events`, holder.person.token);
  await stream.until('ready', ({ event }) => event === 'ready');
  const latencies: number[] = [];
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    const id = await raise(holder);
    const { at } = await stream.until(id, ({ data }) => (data as Partial<ChallengeDetail>).challenge?.id === id);
    const { challenge } = await threeds.getChallenge({ challengeId: id });
    const createdAt = challenge?.createdAt;
    if (createdAt === undefined) throw new Error('the challenge has no created_at');
    latencies.push(wallTime(at) - timestampDate(createdAt).getTime());
    await threeds.cancelChallenge({ challengeId: id });
  }
  await stream.close();
  return latencies;
};

/** Milliseconds from the receipt's `decided_at`, taken before the decision is stored, until WatchChallenge has delivered it. */
const decidedToSeen = async ({ api, threeds, raise }: Stage, { person, ...holder }: Holder): Promise<number[]> => {
  const latencies: number[] = [];
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    const challengeId = await raise({ person, ...holder });
    const states = threeds.watchChallenge({ challengeId })[Symbol.asyncIterator]();
    await states.next();
    const seen = (async () => {
      for (let state = await states.next(); state.done !== true; state = await states.next()) {
        if (state.value.challenge?.status !== ChallengeStatus.PENDING) return wallTime(performance.now());
      }
      throw new Error('the stream ended without a decision');
    })();
    await Promise.all([seen, decide(api, person, challengeId, 'approve')]);
    const { receipt } = await threeds.getReceipt({ challengeId });
    if (receipt?.decidedAt === undefined) throw new Error('the receipt has no decided_at');
    latencies.push((await seen) - timestampDate(receipt.decidedAt).getTime());
    while ((await states.next()).done !== true);
  }
  return latencies;
};

/** Latencies of challenges, measured one after the other on an otherwise idle platform. Timestamps are in whole milliseconds. */
export const benchChallengeLatencies = async (stage: Stage): Promise<Row[]> => {
  const [holder] = stage.holders;
  if (holder === undefined) throw new Error('there is no cardholder');
  stage.report(`latencies: ${SAMPLES} created`);
  const created = await createdToSeen(stage, holder);
  stage.report(`latencies: ${SAMPLES} decided`);
  const decided = await decidedToSeen(stage, holder);
  return [...rowsOf('created → received by an SSE client', created), ...rowsOf('decided → received from WatchChallenge', decided)];
};
