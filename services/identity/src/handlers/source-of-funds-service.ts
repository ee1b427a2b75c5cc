import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import {
  type GetSourceOfFundsRequest,
  SourceOfFundsService,
  type SubmitSourceOfFundsRequest,
} from '@florin/proto/identity/v1/source_of_funds_service';
import { CodedError } from '@florin/rpc/errors';
import { hashInput } from '@florin/rpc/hashing';
import { implement, type ServiceImplementation, userMethod } from '@florin/rpc/server';
import { rateLimited } from '../domain/rate-limited.ts';
import { type Answer, checkAnswers, coversQuestions } from '../domain/source-of-funds.ts';
import type { Dependencies } from './dependencies.ts';

const getSourceOfFunds = ({ questions, fundsAnswers }: Dependencies) =>
  userMethod(async (_request: GetSourceOfFundsRequest, { caller }) => {
    const latest = await fundsAnswers.latestOf(caller.userId);
    const answers = latest?.answers ?? [];
    return {
      questions: [...questions],
      answers,
      ...(latest === undefined ? {} : { answeredAt: timestampFromDate(latest.answeredAt) }),
      complete: coversQuestions(questions, answers),
    };
  });

/**
 * Number of attempts. A call that loses a version number to another call tries the next; more attempts than this are not needed for a
 * race.
 */
const MAX_ATTEMPTS = 5;

/** New versions of one user within 24 hours. Versions are kept for good, so alternating answers must not add many. */
const MAX_VERSIONS_PER_DAY = 10;
const DAY_MS = 24 * 60 * 60 * 1000;

/** @throws CodedError RATE_LIMITED, VALIDATION_FAILED, SERVICE_UNAVAILABLE */
const submitSourceOfFunds = ({ questions, fundsAnswers, onboarding, runtime }: Dependencies) => {
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
    const given = request.answers.map(({ question, answer }) => ({ question, answer }));
    const checked = checkAnswers(questions, given);
    if ('problem' in checked) throw new CodedError('VALIDATION_FAILED', { message: checked.problem });
    const { userId } = call.caller;
    await onboarding.advance(userId, call, () => record(userId, checked.answers));
    return {};
  });
};

/** Implementation of the contract `SourceOfFundsService`. */
export const sourceOfFundsService = (dependencies: Dependencies): ServiceImplementation =>
  implement(SourceOfFundsService, {
    getSourceOfFunds: getSourceOfFunds(dependencies),
    submitSourceOfFunds: submitSourceOfFunds(dependencies),
  });
