import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { newNonce, toWireTypedMessage } from '@florin/evm/typed-messages';
import type { CreateCardDataChallengeRequest } from '@florin/proto/vault/v1/card_data_service';
import { userMethod } from '@florin/rpc/server';
import { cardDataMessage, cardDataText } from '../domain/card-data-text.ts';
import type { Dependencies } from './dependencies.ts';
import { toAction } from './fields.ts';
import { requireRevealable } from './own-card.ts';

const VALID_MS = 5 * 60_000;

/** Creates the typed data for one action on a card of the caller. */
export const createCardDataChallenge = (dependencies: Dependencies) => {
  const { cards, accounts, keys, runtime } = dependencies;
  return userMethod(async ({ cardId, thumbprint, ...request }: CreateCardDataChallengeRequest, call) => {
    const action = toAction(request.action);
    const { last4 } = await requireRevealable(dependencies, cardId, call);
    const { chainId } = await accounts.chainOf(call);
    const expiresAt = new Date(runtime.now().getTime() + VALID_MS);
    const message = {
      authorization: cardDataText({ action, cardId, last4, thumbprint, vaultKey: keys.exchange.kid, expiresAt }),
      nonce: newNonce(runtime.randomBytes),
    };
    await cards.addChallenge(cardId, { action, thumbprint, chainId, ...message, expiresAt });
    return { typedData: toWireTypedMessage(cardDataMessage(chainId, message)), expiresAt: timestampFromDate(expiresAt) };
  });
};
