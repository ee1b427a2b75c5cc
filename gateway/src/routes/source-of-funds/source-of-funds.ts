import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { DONE, dateTime, done, toIso } from '../../schemas/fields.ts';
import { text } from '../../schemas/text.ts';

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
      complete: z.boolean().meta({ description: 'True if every question is answered' }),
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

const answerText = text({ min: 1, max: 200 });

export const submitSourceOfFunds = defineRoute({
  operationId: 'submitSourceOfFunds',
  method: 'post',
  path: '/source-of-funds',
  tag: 'Source of Funds',
  summary: 'Submit the questionnaire',
  description: 'Answers all source-of-funds questions. A repeat replaces the current answers; earlier answers are kept for the record.',
  policy: 'user',
  body: z.object({ answers: z.array(z.object({ question: answerText, answer: answerText })).max(30) }),
  answers: { 200: done },
  errors: [],
  handler: async ({ body: { answers } }, { upstream, asCaller }) => {
    await upstream.sourceOfFunds.submitSourceOfFunds({ answers }, asCaller);
    return DONE;
  },
});
