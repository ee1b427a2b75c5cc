import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { cutPage, decodeIdCursor, encodeIdCursor, pageOf } from '@florin/data/paging';
import { newNonce, toWireTypedMessage } from '@florin/evm/typed-messages';
import {
  CardDataService,
  type CreateCardDataChallengeRequest,
  type ListCardDataAccessRequest,
  type ListVaultKeysRequest,
  type RevealCardDataRequest,
  type SetPinRequest,
  CardDataAction as Wire,
} from '@florin/proto/vault/v1/card_data_service';
import { createWords, stated } from '@florin/rpc/contract';
import { CodedError } from '@florin/rpc/errors';
import { hashInput } from '@florin/rpc/hashing';
import { implement, publicMethod, recordReveal, recordUserCall, type ServiceImplementation, userMethod } from '@florin/rpc/server';
import type { CardDataAccess, VaultCard } from '../domain/card.ts';
import { type CardDataAction, cardDataMessage, cardDataText } from '../domain/card-data-text.ts';
import { isGuessedFirst } from '../domain/pin.ts';
import { readReceivingKey } from '../keys/receiving-key.ts';
import { cardDetails } from '../reveals/card-secrets.ts';
import { askForWallets, findSignedChallenge } from '../reveals/find-signed-challenge.ts';
import { readNewPin } from '../reveals/read-new-pin.ts';
import { consumeChallenge } from '../reveals/use-challenge.ts';
import type { Dependencies } from './dependencies.ts';

type Call = { caller: { userId: string }; token: string; requestId: string };

/**
 * The caller's card, if its data may be shown now.
 * @throws CodedError CARD_NOT_FOUND (also for another user's), CARD_NOT_REVEALABLE, UNAUTHORIZED, SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT
 */
const requireRevealable = async ({ cards, cardService }: Dependencies, cardId: string, call: Call): Promise<VaultCard> => {
  const revealable = cardService.isRevealable(cardId, call);
  // Both are asked at once; a card that is not the caller's has no use for the second answer.
  revealable.catch(() => undefined);
  const card = await cards.find(cardId);
  if (card === undefined || card.userId !== call.caller.userId) throw new CodedError('CARD_NOT_FOUND');
  if (!(await revealable)) throw new CodedError('CARD_NOT_REVEALABLE');
  return card;
};

const ACTIONS = createWords(Wire);

const actionToWire = (action: CardDataAction | 'seal'): Wire => ACTIONS.toValue(action === 'seal' ? undefined : action);

/** An action that the contract requires. */
const toAction = (wire: Wire): CardDataAction => stated(ACTIONS.toWord(wire));

/** Publishes the key to which apps and adapters encrypt. */
const listVaultKeys = ({ keys }: Dependencies) =>
  publicMethod((_request: ListVaultKeysRequest) => ({ jwksJson: JSON.stringify({ keys: [keys.exchange.published] }) }));

const VALID_MS = 5 * 60_000;

/** Creates the typed data for one action on a card of the caller. */
const createCardDataChallenge = (dependencies: Dependencies) => {
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

const pinOf = async ({ dataKeys }: Dependencies, card: VaultCard): Promise<{ pin: string }> => {
  if (card.pin === undefined) throw new CodedError('PIN_NOT_SET');
  return { pin: await (await dataKeys.open(card)).open('pin', card.pin.sealed) };
};

/**
 * Encrypts card data to the key that the wallet signed for. The data leaves the vault only after the challenge was used up, and recorded
 * in the access log and in the audit log.
 */
const revealCardData = (dependencies: Dependencies) => {
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

/** Sets the PIN of a card of the caller. */
const setPin = (dependencies: Dependencies) => {
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
    if (open.some((challenge) => challenge.thumbprint !== thumbprint))
      throw new CodedError('SEALED_MESSAGE_INVALID', { metadata: { field: 'jwk' } });
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

const toWire = ({ id, cardId, last4, action, wallet = '', thumbprint = '', at }: CardDataAccess) => ({
  id,
  cardId,
  last4,
  action: actionToWire(action),
  wallet,
  thumbprint,
  at: timestampFromDate(at),
});

/** Returns a page of the access log of the caller's cards, newest first. */
const listCardDataAccess = ({ accesses }: Dependencies) =>
  userMethod(async (request: ListCardDataAccessRequest, { caller }) => {
    const { limit, cursor } = pageOf(request);
    const cardId = request.cardId === '' ? undefined : request.cardId;
    const found = await accesses.page(caller.userId, { limit: limit + 1, before: decodeIdCursor(cursor), cardId });
    const { rows, nextCursor } = cutPage(found, limit, ({ id }) => encodeIdCursor(id));
    return { accesses: rows.map(toWire), page: { nextCursor } };
  });

/** Implementation of the contract `CardDataService`. */
export const cardDataService = (dependencies: Dependencies): ServiceImplementation =>
  implement(CardDataService, {
    listVaultKeys: listVaultKeys(dependencies),
    createCardDataChallenge: createCardDataChallenge(dependencies),
    revealCardData: revealCardData(dependencies),
    setPin: setPin(dependencies),
    listCardDataAccess: listCardDataAccess(dependencies),
  });
