import type { ReplaceCardRequest } from '@florin/proto/card/v1/card_service';
import { CARD_SCOPES } from '@florin/proto/card/v1/scopes';
import { CodedError } from '@florin/rpc/errors';
import { userOrServiceMethod } from '@florin/rpc/server';
import { originOf } from '../life/change-card.ts';
import { parseChangeRequest } from './change-request.ts';
import type { Dependencies } from './dependencies.ts';
import { toWireCard } from './to-wire.ts';

/**
 * Issues a replacement for a lost or stolen card and returns it. The account must be active when the cardholder asks; the issuer decides
 * for itself, and every payment checks the account anyway.
 * @throws CodedError CARD_NOT_FOUND, CARD_STATE_CONFLICT, ACCOUNT_NOT_ACTIVE, CARD_LIMIT_REACHED, CARD_ISSUING_FAILED,
 * IDEMPOTENCY_KEY_REUSED, VALIDATION_FAILED
 */
export const replaceCard = ({ accounts, replacements, runtime }: Dependencies) =>
  userOrServiceMethod(CARD_SCOPES.writeCards, async (request: ReplaceCardRequest, call) => {
    const { caller, logger } = call;
    const change = parseChangeRequest(request, caller);
    if (caller.kind !== 'service' && (await accounts.findActiveAccount(call)) === undefined) throw new CodedError('ACCOUNT_NOT_ACTIVE');
    const card = await replacements.replace(change.cardId, originOf(change, 'replace'), logger);
    return { card: toWireCard(card, runtime.now(), caller) };
  });
