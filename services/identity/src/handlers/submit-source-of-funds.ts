import type { SubmitSourceOfFundsRequest } from '@florin/proto/identity/v1/source_of_funds_service';
import { CodedError } from '@florin/rpc/errors';
import { hashInput } from '@florin/rpc/hashing';
import { parseRequest, userMethod } from '@florin/rpc/server';
import { z } from 'zod';
import { type Answer, checkAnswers, MAX_QUESTIONS, MAX_TEXT_LENGTH } from '../domain/source-of-funds.ts';
import type { Dependencies } from './dependencies.ts';

const text = z.string().min(1).max(MAX_TEXT_LENGTH);

const requestSchema = z.object({ answers: z.array(z.object({ question: text, answer: text })).max(MAX_QUESTIONS) });

/**
 * Number of attempts. A call that loses a version number to another call tries the next; more attempts than this are not needed for a
 * race.
 */
const MAX_ATTEMPTS = 5;

/** @throws CodedError VALIDATION_FAILED, SERVICE_UNAVAILABLE */
export const submitSourceOfFunds = ({ questions, fundsAnswers, onboarding, runtime }: Dependencies) => {
  const record = async (userId: string, answers: Answer[]): Promise<void> => {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const latest = await fundsAnswers.latestOf(userId);
      if (hashInput(latest?.answers) === hashInput(answers)) return;
      if (await fundsAnswers.add({ userId, version: (latest?.version ?? 0) + 1, answers, answeredAt: runtime.now() })) return;
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
