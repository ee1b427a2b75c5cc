import type { SubmitSourceOfFundsRequest } from '@florin/proto/identity/v1/source_of_funds_service';
import { CodedError } from '@florin/rpc/errors';
import { hashInput } from '@florin/rpc/hashing';
import { parseRequest, userMethod } from '@florin/rpc/server';
import { z } from 'zod';
import { rateLimited } from '../domain/rate-limited.ts';
import { type Answer, checkAnswers, MAX_QUESTIONS, MAX_TEXT_LENGTH } from '../domain/source-of-funds.ts';
import type { Dependencies } from './dependencies.ts';

const text = z.string().min(1).max(MAX_TEXT_LENGTH);

const requestSchema = z.object({ answers: z.array(z.object({ question: text, answer: text })).max(MAX_QUESTIONS) });

/**
 * Number of attempts. A call that loses a version number to another call tries the next; more attempts than this are not needed for a
 * race.
 */
const MAX_ATTEMPTS = 5;

/** New versions of one user within 24 hours. Versions are kept for good, so alternating answers must not add many. */
const MAX_VERSIONS_PER_DAY = 10;
const DAY_MS = 24 * 60 * 60 * 1000;

/** @throws CodedError RATE_LIMITED, VALIDATION_FAILED, SERVICE_UNAVAILABLE */
export const submitSourceOfFunds = ({ questions, fundsAnswers, onboarding, runtime }: Dependencies) => {
  const record = async (userId: string, answers: Answer[]): Promise<void> => {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const latest = await fundsAnswers.latestOf(userId);
      if (hashInput(latest?.answers) === hashInput(answers)) return;
      const version = (latest?.version ?? 0) + 1;
      const answeredAt = runtime.now();
      const earlier = await fundsAnswers.find(userId, version - MAX_VERSIONS_PER_DAY);
      const waitMs = earlier === undefined ? 0 : earlier.answeredAt.getTime() + DAY_MS - answeredAt.getTime();
      if (waitMs > 0) throw rateLimited(waitMs);
      if (await fundsAnswers.add({ userId, version, answers, answeredAt })) return;
    }
    throw new CodedError('SERVICE_UNAVAILABLE', { message: 'the answers changed during every attempt' });
  };

  return userMethod(async (request: SubmitSourceOfFundsRequest, call) => {
    const { answers: given } = parseRequest(requestSchema, request);
    const checked = checkAnswers(questions, given);
    if ('problem' in checked) throw new CodedError('VALIDATION_FAILED', { message: checked.problem });
    const { userId } = call.caller;
    await onboarding.advance(userId, call, () => record(userId, checked.answers));
    return {};
  });
};
