import { z } from 'zod';
import { defineRoute, STREAM_ENDS } from '../../http/define-route.ts';
import { challengeDetail, toChallengeDetail } from '../../schemas/challenge.ts';
import { dateTime, toIso } from '../../schemas/fields.ts';
import { openStream } from './open-challenge-stream.ts';

const ready = z
  .object({
    serverTime: dateTime,
    snapshot: z.boolean().meta({
      description:
        'True if the preceding events are all pending challenges: any other challenge that the client shows as pending is no longer pending',
    }),
  })
  .meta({ id: 'ThreeDSChallengesReady' });

const reset = z
  .object({
    serverTime: dateTime,
    code: z.literal('LAST_EVENT_ID_UNKNOWN').meta({
      description:
        'The Last-Event-ID is malformed, too old or of another platform: the pending challenges follow instead of the changes after it',
    }),
  })
  .meta({ id: 'ThreeDSChallengesReset' });

const end = z
  .object({
    serverTime: dateTime,
    code: z.enum(STREAM_ENDS).meta({
      description:
        '`TOKEN_ENDED`: the token expired or its session ended; get a new token before reconnecting. `STOPPING`: the server stops; reconnect. `TOO_SLOW`: the client did not read fast enough; reconnect.',
    }),
  })
  .meta({ id: 'ThreeDSChallengesEnd' });

export const watchChallenges = defineRoute({
  operationId: 'watchChallenges',
  method: 'get',
  path: '/3ds/challenges/events',
  tag: '3DS',
  summary: 'Watch challenges',
  description:
    'Returns server-sent events. First comes one `challenge` event per pending challenge, or, with Last-Event-ID, per challenge that changed after that event, in its current state; then one `ready` event; then a `challenge` event for each new or changed challenge. Every event has an id of its own, ids increase, and a client that reconnects with the id of the last event that it read misses no change; it may read a state again. An unknown Last-Event-ID is answered by a `reset` event and the pending challenges. After an outage another `ready` event marks that the client is current again. Challenges that came and went before a `reset` or during an outage are not among the events: `GET /3ds/challenges` lists them. An `end` event tells why the server ends the stream. The schema describes the `data` of an event. A comment every 15 seconds keeps the connection alive. A user can have 10 streams, then 429 `STREAM_LIMIT_REACHED`.',
  policy: 'user',
  eventStream: { challenge: challengeDetail, ready, reset, end },
  answers: { 200: z.union([challengeDetail, ready, reset, end]) },
  errors: [],
  handler: async function* (_input, { upstream, caller, asCaller, lastEventId, signal, now }) {
    for await (const item of openStream(upstream, { userId: caller.userId, lastEventId, asCaller, signal, now })) {
      const { id, kind } = item;
      const serverTime = now().toISOString();
      if (kind === 'challenge') yield { id, event: kind, data: toChallengeDetail(item) };
      else if (kind === 'ready') yield { id, event: kind, data: { serverTime: toIso(item.serverTime), snapshot: item.snapshot } };
      else if (kind === 'reset') yield { id, event: kind, data: { serverTime, code: 'LAST_EVENT_ID_UNKNOWN' as const } };
      else yield { id, event: kind, data: { serverTime, code: item.code } };
    }
  },
});
