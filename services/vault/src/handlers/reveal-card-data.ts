import { CardDataService, type RevealCardDataRequest } from '@florin/proto/vault/v1/card_data_service';
import { CodedError } from '@florin/rpc/errors';
import { uuidSchema } from '@florin/rpc/fields';
import { parseRequest, recordReveal, userMethod } from '@florin/rpc/server';
import { z } from 'zod';
import type { VaultCard } from '../domain/card.ts';
import { readReceivingKey } from '../keys/receiving-key.ts';
import { cardDetails } from '../reveals/card-secrets.ts';
import { askForWallets, findSignedChallenge } from '../reveals/find-signed-challenge.ts';
import { consumeChallenge } from '../reveals/use-challenge.ts';
import type { Dependencies } from './dependencies.ts';
import { actionSchema, signatureSchema } from './fields.ts';
import { requireRevealable } from './own-card.ts';

const MAX_KEY_LENGTH = 1024;

const requestSchema = z.object({
  cardId: uuidSchema,
  action: actionSchema(['view_details', 'view_pin']),
  signature: signatureSchema,
  keyJson: z.string().min(1).max(MAX_KEY_LENGTH),
});

const pinOf = async ({ dataKeys }: Dependencies, card: VaultCard): Promise<{ pin: string }> => {
  if (card.pin === undefined) throw new CodedError('PIN_NOT_SET');
  return { pin: await (await dataKeys.open(card)).open('pin', card.pin.sealed) };
};

/**
 * Encrypts card data to the key that the wallet signed for. The data leaves the vault only after the challenge was used up, and recorded
 * in the access log and in the audit log.
 * @throws CodedError CARD_NOT_FOUND, CARD_NOT_REVEALABLE, INVALID_SIGNATURE, RECEIVING_KEY_INVALID, PIN_NOT_SET, CARD_DATA_LIMIT_REACHED,
 * SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT, VALIDATION_FAILED
 */
export const revealCardData = (dependencies: Dependencies) => {
  const { accesses, audit, runtime } = dependencies;
  return userMethod(async (request: RevealCardDataRequest, call) => {
    const { cardId, action, signature, keyJson } = parseRequest(requestSchema, request);
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
