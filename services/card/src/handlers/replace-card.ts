import type { ReplaceCardRequest } from '@florin/proto/card/v1/card_service';
import { requireRecentSignIn } from '@florin/rpc/auth';
import { CodedError } from '@florin/rpc/errors';
import { userOrServiceMethod } from '@florin/rpc/server';
import { planChange } from '../domain/card-life.ts';
import { findChangeable, originOf } from '../life/change-card.ts';
import { toChangeRequest } from './change-request.ts';
import type { Dependencies } from './dependencies.ts';
import { toWireCard } from './to-wire.ts';

/**
 * Issues a replacement for a lost or stolen card and returns it. The account must be active when the cardholder asks; the issuer decides
 * for itself, and every payment checks the account anyway. The cardholder must have signed in recently, and is told.
 */
export const replaceCard = ({ accounts, cards, notices, replacements, runtime }: Dependencies) =>
  userOrServiceMethod(async (request: ReplaceCardRequest, call) => {
    const { caller, logger } = call;
    const change = toChangeRequest(request, caller);
    const origin = originOf(change, 'replace');
    if (caller.kind !== 'service') {
      const lost = await findChangeable(cards, change.cardId, origin);
      const isDue = planChange(lost, { action: 'replace', replacedBy: '' }, origin, runtime.now()) !== undefined;
      if (isDue) requireRecentSignIn(caller, runtime.now());
      if ((await accounts.findActiveAccount(call)) === undefined) throw new CodedError('ACCOUNT_NOT_ACTIVE');
      if (isDue) await notices.tell({ id: change.requestId, kind: 'CARD_REPLACED', last4: lost.last4 }, call);
    }
    const card = await replacements.replace(change.cardId, origin, logger);
    return { card: toWireCard(card, runtime.now(), caller) };
  });
