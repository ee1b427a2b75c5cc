import type { CountChallengesRequest } from '@florin/proto/threeds/v1/challenge_service';
import { THREEDS_SCOPES } from '@florin/proto/threeds/v1/scopes';
import { CodedError } from '@florin/rpc/errors';
import { timeSchema } from '@florin/rpc/fields';
import { parseRequest, serviceMethod } from '@florin/rpc/server';
import { z } from 'zod';
import type { Dependencies } from './dependencies.ts';

const LONGEST_MS = 31 * 86_400_000;

const requestSchema = z.object({ since: timeSchema });

/**
 * Counts the challenges of all users that could be decided at a time or later, by their states.
 * @throws CodedError VALIDATION_FAILED
 */
export const countChallenges = ({ challenges, runtime }: Dependencies) =>
  serviceMethod(THREEDS_SCOPES.readChallenges, async (request: CountChallengesRequest) => {
    const { since } = parseRequest(requestSchema, request);
    const now = runtime.now();
    if (now.getTime() - since.getTime() > LONGEST_MS) {
      throw new CodedError('VALIDATION_FAILED', { message: 'since: must be at most 31 days ago' });
    }
    const { pending, processing, approved, declined, expired, cancelled, failed } = await challenges.countSince(since, now);
    const ended = { approved: BigInt(approved), declined: BigInt(declined), expired: BigInt(expired) };
    return { open: BigInt(pending + processing), ...ended, cancelled: BigInt(cancelled), failed: BigInt(failed) };
  });
