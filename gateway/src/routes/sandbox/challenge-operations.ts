import type { CallOptions } from '@connectrpc/connect';
import { z } from 'zod';
import type { Upstream } from '../../clients/upstream.ts';
import { defineRoute } from '../../http/define-route.ts';
import { challengeDetail, toChallengeDetail } from '../../schemas/challenge.ts';
import { id } from '../../schemas/fields.ts';

type ChallengeOperation = {
  operationId: string;
  /** Last segment of the path. */
  action: string;
  summary: string;
  description: string;
  send: (challenges: Upstream['challenges'], challengeId: string, options: CallOptions) => Promise<unknown>;
};

/** The access control server's actions on a challenge that it raised. */
const challengeOperation = ({ action, send, ...declaration }: ChallengeOperation) =>
  defineRoute({
    ...declaration,
    method: 'post',
    path: `/sandbox/3ds/challenges/{challengeId}/${action}`,
    tag: 'Sandbox',
    policy: 'user',
    sandboxOnly: true,
    params: z.object({ challengeId: id }),
    answers: { 200: challengeDetail },
    errors: ['CHALLENGE_NOT_FOUND', 'CHALLENGE_STATE_CONFLICT'],
    handler: async ({ params: { challengeId } }, { upstream, asCaller, asGateway }) => {
      // An access control server may act on the challenge of any card; a sandbox caller only on their own.
      await upstream.challenges.getChallenge({ challengeId }, asCaller);
      await asGateway((options) => send(upstream.challenges, challengeId, options));
      return toChallengeDetail(await upstream.challenges.getChallenge({ challengeId }, asCaller));
    },
  });

export const confirmChallenge = challengeOperation({
  operationId: 'sandboxConfirmChallenge',
  action: 'confirm',
  summary: 'Confirm a decision',
  description: 'Confirms the decision of a challenge that was raised with `confirmsLater`: `processing` becomes `approved` or `declined`.',
  send: (challenges, challengeId, options) => challenges.acknowledgeDecision({ challengeId }, options),
});

export const cancelChallenge = challengeOperation({
  operationId: 'sandboxCancelChallenge',
  action: 'cancel',
  summary: 'Cancel a challenge',
  description: 'Withdraws a pending challenge, as the access control server does when the shopper leaves the checkout.',
  send: (challenges, challengeId, options) => challenges.cancelChallenge({ challengeId }, options),
});
