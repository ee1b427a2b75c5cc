import type { ThreeDSChallenge } from '@florin/client';
import { queryOptions } from '@tanstack/react-query';
import { client } from './client.ts';

export type Choice = 'approve' | 'decline';

/** From the time that a payment is told of until its sheet asks. */
const KEPT_MS = 10_000;

/** Typed data is asked for once for each choice; the text of a choice that is not taken is never signed. */
export const askedQuery = (challenge: ThreeDSChallenge, decision: Choice) =>
  queryOptions({
    queryKey: ['asked', challenge.id, decision],
    queryFn: async () => {
      const { prepareDecision } = await import('@florin/client/viem');
      return prepareDecision(client, { challenge, decision });
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: KEPT_MS,
  });
