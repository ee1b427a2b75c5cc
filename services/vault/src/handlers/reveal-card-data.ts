import { CardDataService, type RevealCardDataRequest } from '@florin/proto/vault/v1/card_data_service';
import { CodedError } from '@florin/rpc/errors';
import { recordReveal, userMethod } from '@florin/rpc/server';
import type { VaultCard } from '../domain/card.ts';
import { readReceivingKey } from '../keys/receiving-key.ts';
import { cardDetails } from '../reveals/card-secrets.ts';
import { askForWallets, findSignedChallenge } from '../reveals/find-signed-challenge.ts';
import { consumeChallenge } from '../reveals/use-challenge.ts';
import type { Dependencies } from './dependencies.ts';
import { toAction } from './fields.ts';
import { requireRevealable } from './own-card.ts';

const pinOf = async ({ dataKeys }: Dependencies, card: VaultCard): Promise<{ pin: string }> => {
  if (card.pin === undefined) throw new CodedError('PIN_NOT_SET');
  return { pin: await (await dataKeys.open(card)).open('pin', card.pin.sealed) };
};

/**
 * Encrypts card data to the key that the wallet signed for. The data leaves the vault only after the challenge was used up, and recorded
 * in the access log and in the audit log.
 */
export const revealCardData = (dependencies: Dependencies) => {
  const { accesses, audit, runtime } = dependencies;
  return userMethod(async (request: RevealCardDataRequest, call) => {
    const { cardId, signature, keyJson } = request;
    const action = toAction(request.action);
    const key = await readReceivingKey(keyJson);
    const now = runtime.now();
    const approving = askForWallets(dependencies, call, now);
    const card = await requireRevealable(dependencies, cardId, call);
    const open = card.challenges.filter(
      (challenge) => challenge.action === action && challenge.thumbprint === key.thumbprint && challenge.expiresAt > now,
    );
    const signed = await findSignedChallenge(dependencies, card, { action, thumbprint: key.thumbprint }, open, signature, approving, call);
    const jwe = await key.seal(action === 'view_pin' ? await pinOf(dependencies, card) : await cardDetails(dependencies, card));
    const access = await consumeChallenge(dependencies, card, signed);
    const reason = `the cardholder signed for ${action}`;
    const record = { method: CardDataService.method.revealCardData, request, reason };
    await Promise.all([accesses.insert(access), recordReveal(audit, record, call)]);
    return { jwe };
  });
};
