import { CardDataService, type SetPinRequest } from '@florin/proto/vault/v1/card_data_service';
import { CodedError } from '@florin/rpc/errors';
import { hashInput } from '@florin/rpc/hashing';
import { recordUserCall, userMethod } from '@florin/rpc/server';
import { isGuessedFirst } from '../domain/pin.ts';
import { askForWallets, findSignedChallenge } from '../reveals/find-signed-challenge.ts';
import { readNewPin } from '../reveals/read-new-pin.ts';
import { consumeChallenge } from '../reveals/use-challenge.ts';
import type { Dependencies } from './dependencies.ts';
import { requireRevealable } from './own-card.ts';

/** Sets the PIN of a card of the caller. */
export const setPin = (dependencies: Dependencies) => {
  const { accesses, dataKeys, keys, audit, runtime } = dependencies;
  return userMethod(async (request: SetPinRequest, call) => {
    const { cardId, signature, jwe } = request;
    const now = runtime.now();
    const approving = askForWallets(dependencies, call, now);
    const card = await requireRevealable(dependencies, cardId, call);
    const { pin, nonce, thumbprint } = await readNewPin(await keys.exchange.open(jwe));
    const messageHash = hashInput({ jwe, signature });
    if (card.pin?.setBy.nonce === nonce && card.pin.setBy.messageHash === messageHash) return {};

    const open = card.challenges.filter(
      (challenge) => challenge.action === 'set_pin' && challenge.nonce === nonce && challenge.expiresAt > now,
    );
    if (open.some((challenge) => challenge.thumbprint !== thumbprint)) throw new CodedError('SEALED_MESSAGE_INVALID');
    const signed = await findSignedChallenge(dependencies, card, { action: 'set_pin', thumbprint }, open, signature, approving, call);
    if (isGuessedFirst(pin)) throw new CodedError('PIN_TOO_SIMPLE');
    const sealer = await dataKeys.open(card);
    const isInNumber = (await sealer.open('pan', card.pan)).includes(pin);
    const hash = keys.hashPin(cardId, pin);
    const newPin = { hash, sealed: await sealer.seal('pin', pin), wrongTries: 0, checks: [], setBy: { nonce, messageHash } };
    const record = { method: CardDataService.method.setPin, request, reason: 'the cardholder signed for set_pin' };
    await recordUserCall(audit, record, call, async () => {
      // The digits are compared with the card's number only for a consent, which is counted and recorded: not as often as one likes.
      await accesses.insert(await consumeChallenge(dependencies, card, signed, isInNumber ? undefined : newPin));
      if (isInNumber) throw new CodedError('PIN_TOO_SIMPLE');
    });
    return {};
  });
};
