import { CardDataService, type SetPinRequest } from '@florin/proto/vault/v1/card_data_service';
import { CodedError } from '@florin/rpc/errors';
import { uuidSchema } from '@florin/rpc/fields';
import { hashInput } from '@florin/rpc/hashing';
import { parseRequest, recordUserCall, userMethod } from '@florin/rpc/server';
import { z } from 'zod';
import { isSimplePin } from '../domain/pin.ts';
import { askForWallets, findSignedChallenge } from '../reveals/find-signed-challenge.ts';
import { readNewPin } from '../reveals/read-new-pin.ts';
import { consumeChallenge } from '../reveals/use-challenge.ts';
import type { Dependencies } from './dependencies.ts';
import { jweSchema, signatureSchema } from './fields.ts';
import { requireRevealable } from './own-card.ts';

const requestSchema = z.object({ cardId: uuidSchema, signature: signatureSchema, jwe: jweSchema });

/**
 * Sets the PIN of a card of the caller.
 * @throws CodedError CARD_NOT_FOUND, CARD_NOT_REVEALABLE, INVALID_SIGNATURE, SEALED_MESSAGE_INVALID, PIN_TOO_SIMPLE,
 * CARD_DATA_LIMIT_REACHED, SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT, VALIDATION_FAILED
 */
export const setPin = (dependencies: Dependencies) => {
  const { accesses, dataKeys, keys, audit, runtime } = dependencies;
  return userMethod(async (request: SetPinRequest, call) => {
    const { cardId, signature, jwe } = parseRequest(requestSchema, request);
    const now = runtime.now();
    const approving = askForWallets(dependencies, call, now);
    const card = await requireRevealable(dependencies, cardId, call);
    const { pin, nonce, thumbprint } = await readNewPin(await keys.exchange.open(jwe));
    const messageHash = hashInput({ jwe, signature });
    if (card.pin?.setBy.nonce === nonce && card.pin.setBy.messageHash === messageHash) return {};

    const open = card.challenges.filter(
      (challenge) => challenge.action === 'set_pin' && challenge.nonce === nonce && challenge.expiresAt > now,
    );
    const signed = await findSignedChallenge(dependencies, open, signature, approving, call);
    if (signed.challenge.thumbprint !== thumbprint) throw new CodedError('SEALED_MESSAGE_INVALID');
    const sealer = await dataKeys.open(card);
    if (isSimplePin(pin, await sealer.open('pan', card.pan))) throw new CodedError('PIN_TOO_SIMPLE');
    const sealed = await sealer.seal('pin', pin);
    const hash = keys.hashPin(cardId, pin);
    const newPin = { hash, sealed, wrongTries: 0, checks: [], setBy: { nonce, messageHash } };
    const record = { method: CardDataService.method.setPin, request, reason: 'the cardholder signed for set_pin' };
    await recordUserCall(audit, record, call, async () => accesses.insert(await consumeChallenge(dependencies, card, signed, newPin)));
    return {};
  });
};
