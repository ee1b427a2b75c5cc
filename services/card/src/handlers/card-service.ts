import { cutFound, cutPage, decodeIdCursor, encodeIdCursor, findLimitOf, pageOf } from '@florin/data/paging';
import {
  type BatchGetCardsRequest,
  type CancelCardRequest,
  CardService,
  type CountCardsRequest,
  type FindCardsRequest,
  type FreezeCardRequest,
  type GetCardRequest,
  type GetCurrentCardholderRequest,
  type GetProgramRequest,
  type ListCardsRequest,
  type RenameCardRequest,
  type RenewCardRequest,
  type ReplaceCardRequest,
  type ReportCardLostRequest,
  type ReportCardStolenRequest,
  type UnfreezeCardRequest,
  type UpdatePhoneRequest,
} from '@florin/proto/card/v1/card_service';
import { requireRecentSignIn } from '@florin/rpc/auth';
import { requireFields } from '@florin/rpc/contract';
import { CodedError } from '@florin/rpc/errors';
import { phoneProblem } from '@florin/rpc/phone';
import {
  implement,
  publicMethod,
  type ServiceImplementation,
  serviceMethod,
  userMethod,
  userOfCall,
  userOrServiceMethod,
} from '@florin/rpc/server';
import type { Card } from '../domain/card.ts';
import { planChange } from '../domain/card-life.ts';
import { type Cardholder, MAX_LIVE_CARDS } from '../domain/cardholder.ts';
import { UNFREEZING } from '../domain/change-facts.ts';
import { LIMIT_NAMES } from '../domain/limits.ts';
import { findChangeable, originOf } from '../life/change-card.ts';
import { readCardName } from './card-name.ts';
import { toChangeRequest } from './change-request.ts';
import { changeWithApproval } from './change-with-approval.ts';
import { createVirtualCard } from './create-virtual-card.ts';
import type { Dependencies } from './dependencies.ts';
import { findOwnCard } from './own-card.ts';
import { colourFromWire, statusFromWire, toWireCard } from './to-wire.ts';
import { readSpending } from './to-wire-spending.ts';

/** Returns a page of a user's cards, newest first. Cards added later never shift the pages after a cursor. */
const listCards = (dependencies: Dependencies) => {
  const { cards, runtime } = dependencies;
  return userOrServiceMethod(async (request: ListCardsRequest, { caller }) => {
    const userId = userOfCall(request, caller);
    const now = runtime.now();
    const { limit, cursor } = pageOf(request);
    const query = { limit: limit + 1, before: decodeIdCursor(cursor), status: statusFromWire(request.status), now };
    const { rows, nextCursor } = cutPage(await cards.page(userId, query), limit, ({ id }) => encodeIdCursor(id));
    const withSpending = async (card: Card) => toWireCard(card, now, caller, await readSpending(dependencies, card));
    return { cards: await Promise.all(rows.map(withSpending)), page: { nextCursor } };
  });
};

/**
 * Returns a card: the caller's own to a user, with its limits and use, any to a platform service. The 3DS service reads the card for every decision, so its
 * call costs no second read.
 */
const getCard = (dependencies: Dependencies) => {
  const { cards, runtime } = dependencies;
  return userOrServiceMethod(async (request: GetCardRequest, { caller }) => {
    const { cardId } = request;
    const card = await findOwnCard(cards, cardId, caller);
    if (caller.kind === 'service') return { card: toWireCard(card, runtime.now(), caller) };
    return { card: toWireCard(card, runtime.now(), caller, await readSpending(dependencies, card)) };
  });
};

/** Counts the live cards of all users. */
const countCards = ({ cards, runtime }: Dependencies) =>
  serviceMethod(async (_request: CountCardsRequest) => {
    const now = runtime.now();
    const [active, frozen] = await Promise.all([cards.count('active', now), cards.count('frozen', now)]);
    return { active: BigInt(active), frozen: BigInt(frozen) };
  });

/** Returns cards by the end of their numbers. */
const findCards = ({ cards, runtime }: Dependencies) =>
  serviceMethod(async (request: FindCardsRequest, { caller }) => {
    const { last4 } = request;
    const limit = findLimitOf(request);
    const { rows, hasMore } = cutFound(await cards.findByLast4(last4, limit + 1), limit);
    const now = runtime.now();
    return { cards: rows.map((card) => toWireCard(card, now, caller)), hasMore };
  });

const batchGetCards = ({ cards, runtime }: Dependencies) =>
  serviceMethod(async ({ cardIds }: BatchGetCardsRequest, { caller }) => {
    const found = await Promise.all([...new Set(cardIds)].map((id) => cards.find(id)));
    const now = runtime.now();
    return { cards: found.filter((card) => card !== undefined).map((card) => toWireCard(card, now, caller)) };
  });

/** Suspends a live card on behalf of the caller. */
const freezeCard = ({ changes, runtime }: Dependencies) =>
  userOrServiceMethod(async (request: FreezeCardRequest, { caller }) => {
    const change = toChangeRequest(request, caller);
    const card = await changes.change(change.cardId, { action: 'freeze' }, originOf(change, 'freeze'));
    return { card: toWireCard(card, runtime.now(), caller) };
  });

/** Lifts the caller's freeze. A cardholder must have signed in recently, approves it with a wallet, and is told. */
const unfreezeCard = (dependencies: Dependencies) =>
  userOrServiceMethod(async (request: UnfreezeCardRequest, call) => {
    const { cards, changes, runtime } = dependencies;
    const { caller } = call;
    const change = toChangeRequest(request, caller);
    const origin = originOf(change, 'unfreeze');
    const { cardId, requestId } = change;
    const unfreeze = (): Promise<Card> => changes.change(cardId, { action: 'unfreeze' }, origin);
    if (caller.kind === 'service') return { card: toWireCard(await unfreeze(), runtime.now(), caller) };

    // A card that is not frozen is returned as it was read: it may be frozen by now, and that freeze ends only with an approval.
    const attempt = async (): Promise<Card | undefined> => {
      const found = await findChangeable(cards, cardId, origin);
      return planChange(found, { action: 'unfreeze' }, origin, runtime.now()) === undefined ? found : undefined;
    };
    const approval = {
      ...UNFREEZING,
      approval: request.approval,
      use: requestId,
      notice: { id: requestId, kind: 'CARD_UNFREEZING' },
    } as const;
    const frozen = await findChangeable(cards, cardId, origin);
    const card = await changeWithApproval(dependencies, frozen, { ...approval, attempt, make: unfreeze }, { ...call, caller });
    return { card: toWireCard(card, runtime.now(), caller) };
  });

/** Ends a live card as lost. */
const reportCardLost = ({ changes, runtime }: Dependencies) =>
  userOrServiceMethod(async (request: ReportCardLostRequest, { caller }) => {
    const change = toChangeRequest(request, caller);
    const card = await changes.change(change.cardId, { action: 'report_lost' }, originOf(change, 'report_lost'));
    return { card: toWireCard(card, runtime.now(), caller) };
  });

/** Ends a live card as stolen. */
const reportCardStolen = ({ changes, runtime }: Dependencies) =>
  userOrServiceMethod(async (request: ReportCardStolenRequest, { caller }) => {
    const change = toChangeRequest(request, caller);
    const card = await changes.change(change.cardId, { action: 'report_stolen' }, originOf(change, 'report_stolen'));
    return { card: toWireCard(card, runtime.now(), caller) };
  });

/** Ends a live card as cancelled. */
const cancelCard = ({ changes, runtime }: Dependencies) =>
  userOrServiceMethod(async (request: CancelCardRequest, { caller }) => {
    const change = toChangeRequest(request, caller);
    const card = await changes.change(change.cardId, { action: 'cancel' }, originOf(change, 'cancel'));
    return { card: toWireCard(card, runtime.now(), caller) };
  });

/** Gives a live card another name, another colour, or both. */
const renameCard = ({ changes, runtime }: Dependencies) =>
  userOrServiceMethod(async (request: RenameCardRequest, { caller }) => {
    const change = toChangeRequest(request, caller);
    const colour = colourFromWire(request.colour);
    const look = {
      ...(request.name === '' && colour !== undefined ? {} : { name: readCardName('name', request.name) }),
      ...(colour === undefined ? {} : { colour }),
    };
    const card = await changes.change(change.cardId, { action: 'rename', ...look }, originOf(change, 'rename', look));
    return { card: toWireCard(card, runtime.now(), caller) };
  });

/**
 * Issues a replacement for a lost or stolen card and returns it. The account must be active when the cardholder asks; the issuer decides
 * for itself, and every payment checks the account anyway. The cardholder must have signed in recently, and is told.
 */
const replaceCard = ({ accounts, cards, notices, replacements, runtime }: Dependencies) =>
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

/** Extends the expiry of a live card by one term and keeps its PAN. */
const renewCard = ({ renewals, runtime }: Dependencies) =>
  userOrServiceMethod(async (request: RenewCardRequest, { caller, logger }) => {
    const change = toChangeRequest(request, caller);
    const card = await renewals.renew(change.cardId, originOf(change, 'renew'), logger);
    return { card: toWireCard(card, runtime.now(), caller) };
  });

type UserToken = { token: string; requestId: string };

/**
 * Sets the phone number of the caller's cardholder, which must exist: from a code with the id of its verification, from a bare number, or from a code that
 * must verify the given number. A code is used up only after a recent sign-in.
 */
const updatePhone = ({ cardholders, notices, phoneVerifier, phoneVerification, runtime }: Dependencies) => {
  const setPhone = async (cardholder: Cardholder, phone: string, verified: boolean, call: UserToken): Promise<void> => {
    if (phone !== cardholder.phone) {
      const former = cardholder.phoneVerified ? { formerPhone: cardholder.phone } : {};
      await notices.tell({ id: runtime.newId(), kind: 'PHONE_CHANGING', ...former }, call);
    }
    await cardholders.setPhone(cardholder, phone, verified);
  };

  return userMethod(async (request: UpdatePhoneRequest, call) => {
    const { userId } = call.caller;
    const cardholder = await cardholders.find(userId);
    if (cardholder === undefined) throw new CodedError('CARDHOLDER_NOT_FOUND');
    const { phone, code, requestId } = request;
    const missing = code === '' ? 'is required without a code' : undefined;
    requireFields({
      phone: phone === '' ? missing : phoneProblem(phone),
      request_id: code !== '' && requestId === '' ? 'is required with a code' : undefined,
    });

    if (code !== '' || phone !== cardholder.phone) requireRecentSignIn(call.caller, runtime.now());
    if (code !== '') {
      const verified = await phoneVerifier.verifyCode({ userId, code, verificationId: requestId }, call);
      // A code that verifies a different number is as invalid as a wrong one.
      if (phone !== '' && phone !== verified) throw new CodedError('INVALID_CODE');
      await setPhone(cardholder, verified, true, call);
    } else {
      if (phoneVerification === 'required') throw new CodedError('CODE_REQUIRED');
      await setPhone(cardholder, phone, false, call);
    }
    return {};
  });
};

/** Returns the caller's cardholder record. */
const getCurrentCardholder = ({ cardholders }: Dependencies) =>
  userMethod(async (_request: GetCurrentCardholderRequest, { caller }) => {
    const cardholder = await cardholders.find(caller.userId);
    if (cardholder === undefined) throw new CodedError('CARDHOLDER_NOT_FOUND');
    const { cardholderId, phone, phoneVerified } = cardholder;
    return { cardholderId, phone, phoneVerified };
  });

/** Returns the rules of the card program that users meet. */
const getProgram = ({ program, phoneVerification }: Dependencies) =>
  publicMethod((_request: GetProgramRequest) => ({
    phoneVerified: phoneVerification === 'required',
    currency: program.currency,
    token: program.token.symbol,
    maxCards: MAX_LIVE_CARDS,
    limits: Object.fromEntries(LIMIT_NAMES.map((name) => [name, program.limits[name]?.toString() ?? ''])),
  }));

/** Implementation of the contract `CardService`. */
export const cardService = (dependencies: Dependencies): ServiceImplementation =>
  implement(CardService, {
    createVirtualCard: createVirtualCard(dependencies),
    listCards: listCards(dependencies),
    getCard: getCard(dependencies),
    countCards: countCards(dependencies),
    findCards: findCards(dependencies),
    batchGetCards: batchGetCards(dependencies),
    freezeCard: freezeCard(dependencies),
    unfreezeCard: unfreezeCard(dependencies),
    reportCardLost: reportCardLost(dependencies),
    reportCardStolen: reportCardStolen(dependencies),
    cancelCard: cancelCard(dependencies),
    renameCard: renameCard(dependencies),
    replaceCard: replaceCard(dependencies),
    renewCard: renewCard(dependencies),
    updatePhone: updatePhone(dependencies),
    getCurrentCardholder: getCurrentCardholder(dependencies),
    getProgram: getProgram(dependencies),
  });
