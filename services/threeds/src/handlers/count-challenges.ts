import { timestampDate } from '@bufbuild/protobuf/wkt';
import type { CountChallengesRequest } from '@florin/proto/threeds/v1/challenge_service';
import { requireFields, stated } from '@florin/rpc/contract';
import { serviceMethod } from '@florin/rpc/server';
import type { Dependencies } from './dependencies.ts';

const LONGEST_MS = 31 * 86_400_000;

/** Counts the challenges of all users that could be decided at a time or later, by their states. */
export const countChallenges = ({ challenges, runtime }: Dependencies) =>
  serviceMethod(async (request: CountChallengesRequest) => {
    const since = timestampDate(stated(request.since));
    const now = runtime.now();
    requireFields({ since: now.getTime() - since.getTime() > LONGEST_MS ? 'must be at most 31 days ago' : undefined });
    const { pending, processing, approved, declined, expired, cancelled, failed } = await challenges.countSince(since, now);
    const ended = { approved: BigInt(approved), declined: BigInt(declined), expired: BigInt(expired) };
    return { open: BigInt(pending + processing), ...ended, cancelled: BigInt(cancelled), failed: BigInt(failed) };
  });
