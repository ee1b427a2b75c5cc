import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';

export const advanceClock = defineRoute({
  operationId: 'sandboxAdvanceClock',
  method: 'post',
  path: '/sandbox/clock',
  tag: 'Sandbox',
  summary: "Move the clock of the caller's cards",
  description: 'Holds whose time is over by then expire before the response; limits count in the new periods. The clock never goes back.',
  policy: 'user',
  sandboxOnly: true,
  body: z.object({ advanceSeconds: z.int().min(1).max(31_622_400) }),
  answers: { 200: z.object({ secondsAhead: z.int() }) },
  errors: [],
  handler: async ({ body }, { upstream, asCaller }) => {
    const { secondsAhead } = await upstream.cardSandbox.advanceClock({ seconds: body.advanceSeconds }, asCaller);
    return { secondsAhead: Number(secondsAhead) };
  },
});
