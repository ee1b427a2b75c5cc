import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { dateTime, toIso } from '../../schemas/fields.ts';

const question = z
  .object({
    question: z.string(),
    answers: z.array(z.string()).meta({ description: 'The allowed answers' }),
    answer: z.string().optional().meta({ description: 'The answer that the caller gave last' }),
  })
  .meta({ id: 'SourceOfFundsQuestion' });

export const getSourceOfFunds = defineRoute({
  operationId: 'getSourceOfFunds',
  method: 'get',
  path: '/source-of-funds',
  tag: 'Source of Funds',
  summary: 'Get the questionnaire',
  description: "Returns the source-of-funds questions with their allowed answers and the caller's answers.",
  policy: 'user',
  answers: {
    200: z.object({
      questions: z.array(question),
      complete: z.boolean().meta({ description: 'Whether every question is answered' }),
      answeredAt: dateTime.optional(),
    }),
  },
  errors: [],
  handler: async (_input, { upstream, asCaller }) => {
    const { questions, answers, answeredAt, complete } = await upstream.sourceOfFunds.getSourceOfFunds({}, asCaller);
    const given = new Map(answers.map(({ question: asked, answer }) => [asked, answer]));
    return {
      questions: questions.map(({ question: asked, answers: allowed }) => {
        const answer = given.get(asked);
        return { question: asked, answers: allowed, ...(answer === undefined ? {} : { answer }) };
      }),
      complete,
      ...(answeredAt === undefined ? {} : { answeredAt: toIso(answeredAt) }),
    };
  },
});
