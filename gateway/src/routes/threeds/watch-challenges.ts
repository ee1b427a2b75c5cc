import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { challengeDetail, toChallengeDetail } from '../../schemas/challenge.ts';
import { dateTime, toIso } from '../../schemas/fields.ts';

const ready = z
  .object({
    serverTime: dateTime,
    snapshot: z.boolean().meta({
      description:
        'True: the events before were all pending challenges, and any other that a client still shows as pending is not any more',
    }),
  })
  .meta({ id: 'ThreeDSChallengesReady' });

export const watchChallenges = defineRoute({
  operationId: 'watchChallenges',
  method: 'get',
  path: '/3ds/challenges/events',
  tag: '3DS',
  summary: "Server-sent events: the caller's challenges appear and change",
  description:
    'First an event `challenge` for each pending challenge, or with Last-Event-ID for each that changed after that event, in its state now. Then one event `ready`. Then an event `challenge` for each appearance and change. The schema is that of an event’s `data`. A comment every 15 seconds keeps the connection; it ends when the token expires. At most 10 streams per user.',
  policy: 'user',
  eventStream: true,
  answers: { 200: z.union([challengeDetail, ready]) },
  errors: [],
  handler: async function* (_input, { upstream, asCaller, lastEventId }) {
    for await (const { eventId, challenge, serverTime, snapshot } of upstream.challenges.watchChallenges({ lastEventId }, asCaller)) {
      yield challenge === undefined
        ? { id: eventId, event: 'ready', data: { serverTime: toIso(serverTime), snapshot } }
        : { id: eventId, event: 'challenge', data: toChallengeDetail({ challenge, serverTime }) };
    }
  },
});
