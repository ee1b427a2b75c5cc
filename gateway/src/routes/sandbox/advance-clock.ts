import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';

export const advanceClock = defineRoute({
  operationId: 'sandboxAdvanceClock',
  method: 'post',
  path: '/sandbox/clock',
  tag: 'Sandbox',
  summary: "Move the clock of the caller's cards and challenges",
  description:
    'Holds and challenges whose time is over by then expire before the response; limits count in the new periods, and approvals grow old. A pending challenge becomes older by as much, so its typed data has to be requested again. Times of records that are final stay, and so does the time of sessions. The clock never goes back.',
  policy: 'user',
  sandboxOnly: true,
  body: z.object({ advanceSeconds: z.int().min(1).max(31_622_400) }),
  answers: { 200: z.object({ secondsAhead: z.int() }) },
  errors: [],
  handler: async ({ body }, { upstream, asCaller }) => {
    await upstream.threedsSandbox.ageChallenges({ seconds: body.advanceSeconds }, asCaller);
    const { secondsAhead } = await upstream.cardSandbox.advanceClock({ seconds: body.advanceSeconds }, asCaller);
    return { secondsAhead: Number(secondsAhead) };
  },
});
