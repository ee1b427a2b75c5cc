import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { DONE, done } from '../../schemas/fields.ts';
import { text } from '../../schemas/text.ts';

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
