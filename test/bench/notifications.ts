import { timestampDate } from '@bufbuild/protobuf/wkt';
import { ChallengeStatus } from '@florin/proto/threeds/v1/challenge';
import { openEventStream } from '@florin/rpc/testing/event-stream';
import { type ChallengeDetail, decide } from '../support/story.ts';
import { percentile, type Row } from './row.ts';
import type { Holder, Stage } from './threeds.ts';

const SAMPLES = 300;

const rowsOf = (name: string, milliseconds: readonly number[]): Row[] => [
  { name: `${name} p50`, value: percentile(milliseconds, 0.5), unit: 'ms' },
  { name: `${name} p99`, value: percentile(milliseconds, 0.99), unit: 'ms' },
];

/** Wall clock of this machine, which the service shares, at the moment of an event that was read at `at` of performance.now(). */
const wallTime = (at: number): number => performance.timeOrigin + at;

/** From the service's `created_at`, taken before it stores the challenge, until a waiting SSE client has read the event. */
const createdToSeen = async ({ platform, threeds, raise }: Stage, holder: Holder): Promise<number[]> => {
  const stream = await openEventStream(`${platform.urls.gateway}/3ds/challenges/events`, holder.person.token);
  await stream.until('ready', ({ event }) => event === 'ready');
  const latencies: number[] = [];
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    const id = await raise(holder);
    const { at } = await stream.until(id, ({ data }) => (data as Partial<ChallengeDetail>).challenge?.id === id);
    const { challenge } = await threeds.getChallenge({ challengeId: id });
    const createdAt = challenge?.createdAt;
    if (createdAt === undefined) throw new Error('a challenge without its time');
    latencies.push(wallTime(at) - timestampDate(createdAt).getTime());
    await threeds.cancelChallenge({ challengeId: id });
  }
  await stream.close();
  return latencies;
};

/** From the receipt's `decided_at`, taken before the decision is stored, until WatchChallenge has told it. */
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
    if (receipt?.decidedAt === undefined) throw new Error('a receipt without its time');
    latencies.push((await seen) - timestampDate(receipt.decidedAt).getTime());
    while ((await states.next()).done !== true);
  }
  return latencies;
};

/** One after the other on a platform that does nothing else. Both clocks have whole milliseconds. */
export const benchNotifications = async (stage: Stage): Promise<Row[]> => {
  const [holder] = stage.holders;
  if (holder === undefined) throw new Error('nobody registered');
  stage.report(`notifications: ${SAMPLES} created`);
  const created = await createdToSeen(stage, holder);
  stage.report(`notifications: ${SAMPLES} decided`);
  const decided = await decidedToSeen(stage, holder);
  return [...rowsOf('created → seen by a waiting SSE client', created), ...rowsOf('decided → seen by WatchChallenge', decided)];
};
