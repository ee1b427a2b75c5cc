import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { challengeDetail, toChallengeDetail } from '../../schemas/challenge.ts';
import { dateTime, toIso } from '../../schemas/fields.ts';

const ready = z
  .object({
    serverTime: dateTime,
    snapshot: z.boolean().meta({
      description:
        'True if the preceding events are all pending challenges: any other challenge that the client shows as pending is no longer pending',
    }),
  })
  .meta({ id: 'ThreeDSChallengesReady' });

export const watchChallenges = defineRoute({
  operationId: 'watchChallenges',
  method: 'get',
  path: '/3ds/challenges/events',
  tag: '3DS',
  summary: 'Watch challenges',
  description:
    'Returns server-sent events. First comes one `challenge` event per pending challenge, or, with Last-Event-ID, per challenge that changed after that event, in its current state; then one `ready` event; then a `challenge` event for each new or changed challenge. The schema describes the `data` of an event. A comment every 15 seconds keeps the connection alive. The stream ends when the token expires or the session ends. A user can have 10 streams, then 429 `STREAM_LIMIT_REACHED`.',
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
