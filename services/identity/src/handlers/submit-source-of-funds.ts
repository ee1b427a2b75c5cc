import type { SubmitSourceOfFundsRequest } from '@florin/proto/identity/v1/source_of_funds_service';
import { CodedError } from '@florin/rpc/errors';
import { hashInput } from '@florin/rpc/hashing';
import { parseRequest, userMethod } from '@florin/rpc/server';
import { z } from 'zod';
import { type Answer, checkAnswers, MAX_QUESTIONS, MAX_TEXT_LENGTH } from '../domain/source-of-funds.ts';
import type { Dependencies } from './dependencies.ts';

const text = z.string().min(1).max(MAX_TEXT_LENGTH);

const requestSchema = z.object({ answers: z.array(z.object({ question: text, answer: text })).max(MAX_QUESTIONS) });

/** Answers that lose their version's number to others find those at the next look; more looks than this are no race any more. */
const MAX_LOOKS = 5;

type Parts = Pick<Dependencies, 'questions' | 'fundsAnswers' | 'onboarding' | 'runtime'>;

/** @throws CodedError VALIDATION_FAILED, SERVICE_UNAVAILABLE */
export const submitSourceOfFunds = ({ questions, fundsAnswers, onboarding, runtime }: Parts) => {
  const record = async (userId: string, answers: Answer[]): Promise<void> => {
    for (let look = 0; look < MAX_LOOKS; look += 1) {
      const latest = await fundsAnswers.latestOf(userId);
      if (hashInput(latest?.answers) === hashInput(answers)) return;
      if (await fundsAnswers.add({ userId, version: (latest?.version ?? 0) + 1, answers, answeredAt: runtime.now() })) return;
    }
    throw new CodedError('SERVICE_UNAVAILABLE', { message: 'the answers keep changing' });
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
