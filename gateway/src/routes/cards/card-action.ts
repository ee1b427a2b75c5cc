import type { CallOptions } from '@connectrpc/connect';
import type { Card } from '@florin/proto/card/v1/card';
import type { ErrorCode } from '@florin/rpc/errors';
import { z } from 'zod';
import type { Upstream } from '../../clients/upstream.ts';
import { defineRoute } from '../../http/define-route.ts';
import { card, toCard } from '../../schemas/card.ts';
import { id, present } from '../../schemas/fields.ts';

/** Renewals and replacements wait for the card processor. */
const TIMEOUT_MS = 8000;

type CardAction = {
  operationId: string;
  /** Last segment of the path. */
  action: string;
  summary: string;
  description?: string;
  errors: readonly ErrorCode[];
  call: (
    cards: Upstream['cards'],
    request: { cardId: string; requestId: string },
    options: CallOptions,
  ) => Promise<{ card?: Card | undefined }>;
};

/** Declares `POST /cards/{cardId}/<action>`, which has no body and returns the card. */
export const cardAction = ({ action, errors, call, ...declaration }: CardAction) =>
  defineRoute({
    ...declaration,
    method: 'post',
    path: `/cards/{cardId}/${action}`,
    tag: 'Cards',
    policy: 'user',
    params: z.object({ cardId: id }),
    answers: { 200: card },
    errors: ['CARD_NOT_FOUND', 'CARD_STATE_CONFLICT', ...errors],
    handler: async ({ params: { cardId } }, { upstream, asCaller, requestKey }) => {
      const changed = await call(upstream.cards, { cardId, requestId: requestKey }, { ...asCaller, timeoutMs: TIMEOUT_MS });
      return toCard(present(changed.card, 'the card'));
    },
  });
