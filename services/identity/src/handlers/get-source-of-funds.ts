import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { GetSourceOfFundsRequest } from '@florin/proto/identity/v1/source_of_funds_service';
import { userMethod } from '@florin/rpc/server';
import { answerAll } from '../domain/source-of-funds.ts';
import type { Dependencies } from './dependencies.ts';

export const getSourceOfFunds = ({ questions, fundsAnswers }: Pick<Dependencies, 'questions' | 'fundsAnswers'>) =>
  userMethod(async (_request: GetSourceOfFundsRequest, { caller }) => {
    const latest = await fundsAnswers.latestOf(caller.userId);
    const answers = latest?.answers ?? [];
    return {
      questions: [...questions],
      answers,
      ...(latest === undefined ? {} : { answeredAt: timestampFromDate(latest.answeredAt) }),
      complete: answerAll(questions, answers),
    };
  });
