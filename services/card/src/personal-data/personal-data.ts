import { type PersonalDataSection, personalDataService, singleRecord } from '@florin/data/privacy';
import { CodedError } from '@florin/rpc/errors';
import { derivedId, type Runtime } from '@florin/rpc/runtime';
import type { ServiceImplementation } from '@florin/rpc/server';
import { type Card, isLive } from '../domain/card.ts';
import type { Cardholder } from '../domain/cardholder.ts';
import type { Payment } from '../domain/payment.ts';
import { accountDocument, type Spending, spendingNow } from '../domain/spending.ts';
import { type CardChanges, originOf } from '../life/change-card.ts';
import type { CardholderStore } from '../store/cardholders.ts';
import type { CardStore } from '../store/cards.ts';
import type { PaymentStore } from '../store/payments.ts';
import type { SpendingStore } from '../store/spendings.ts';

type Parts = {
  cardholders: CardholderStore;
  cards: CardStore;
  changes: CardChanges;
  payments: Pick<PaymentStore, 'page' | 'hasOpenDispute' | 'findLatestCharges' | 'eraseNotes'>;
  spendings: Pick<SpendingStore, 'find' | 'findSettings'>;
  runtime: Pick<Runtime, 'now'>;
  /** Days after the latest payment before which a user is not erased. */
  erasureWaitDays: number;
};

const BATCH = 100;

const toExported = ({ revision: _revision, history, ...card }: Card) => ({
  ...card,
  history: history.map(({ at, action, actor, reason, to }) => ({ at, action, actor, reason, to })),
});

/** Without what the service keeps for its own work. */
const toExportedPayment = ({ effects: _effects, revision: _revision, releasedEarly: _early, usages: _usages, ...payment }: Payment) =>
  payment;

/** A written card has its name itself, which may be another one since. */
const toExportedCardholder = ({ slots, ...cardholder }: Cardholder) => ({
  ...cardholder,
  slots: slots.map(({ name, ...slot }) => (slot.issuing === undefined ? slot : { ...slot, name })),
});

/** The request id of the change that cancels a card, the same in every attempt. */
const requestIdOf = (cardId: string): string => derivedId(`florin-card-erasure:${cardId}`);

const cancelForErasure = async ({ changes }: Parts, cardId: string): Promise<void> => {
  const request = {
    cardId,
    requestId: requestIdOf(cardId),
    actor: 'issuer',
    actorId: 'identity:erasure',
    reason: 'the user is erased',
  } as const;
  try {
    await changes.change(cardId, { action: 'cancel' }, originOf(request, 'cancel'));
  } catch (error) {
    // It ended in another way meanwhile.
    if (!(error instanceof CodedError && error.code === 'CARD_STATE_CONFLICT')) throw error;
  }
};

const hasTexts = ({ name, statusReason, history }: Card): boolean =>
  name !== '' || statusReason !== undefined || history.some(({ reason }) => reason !== undefined);

/** Erases the texts of a card. Each repeat means that another change of the card has succeeded. */
const eraseTexts = async ({ cards }: Parts, cardId: string): Promise<void> => {
  for (let card = await cards.find(cardId); card !== undefined && hasTexts(card); card = await cards.find(cardId)) {
    if (await cards.eraseTexts(card)) return;
  }
};

/**
 * Erases the cardholder first, so that no card is ordered any more, then cancels every card and erases what the user wrote on cards and payments. The processor is
 * told of the card without its name.
 * @throws CodedError SERVICE_UNAVAILABLE while a card is being issued: a later attempt finds and cancels it
 */
const eraseCards = async (parts: Parts, userId: string): Promise<void> => {
  const { cardholders, cards, payments, runtime } = parts;
  await cardholders.erase(userId);
  await payments.eraseNotes(userId);
  if (await cardholders.isIssuing(userId)) throw new CodedError('SERVICE_UNAVAILABLE', { message: 'a card is being issued' });
  let before: string | undefined;
  do {
    const page: Card[] = await cards.page(userId, { limit: BATCH, before, status: undefined, now: runtime.now() });
    for (const card of page) {
      if (isLive(card, runtime.now())) await cancelForErasure(parts, card.id);
      await eraseTexts(parts, card.id);
    }
    before = page.length < BATCH ? undefined : page.at(-1)?.id;
  } while (before !== undefined);
};

const toExportedSpending = ({ id, limits, controls, entries }: Spending) => ({
  id,
  limits,
  controls,
  payments: entries.map(({ paymentId, at, atm, amount }) => ({ paymentId, at, atm, amount })),
});

/** Limits and controls of the user's cards and account, and what counts against them. */
const spendingSection = ({ cards, spendings, runtime }: Parts): PersonalDataSection => ({
  kind: 'spending',
  page: async (userId, { limit, after }) => {
    const page = await cards.page(userId, { limit, before: after, status: undefined, now: runtime.now() });
    const next = page.length < limit ? undefined : page.at(-1)?.id;
    const accounts = next === undefined ? new Set(page.map(({ accountId }) => accountDocument(accountId))) : [];
    const found = await Promise.all([...page.map(({ id }) => id), ...accounts].map(spendings.find));
    return { records: found.filter((spending) => spending !== undefined).map(toExportedSpending), next };
  },
});

const DAY_MS = 86_400_000;

/** Rejects an erasure while clearings and refunds of the latest payments may still come. @throws CodedError USER_HAS_RECENT_PAYMENTS (with erasableFrom) */
const checkPayments = async ({ payments, spendings, runtime, erasureWaitDays }: Parts, userId: string): Promise<void> => {
  const now = runtime.now();
  let erasableFrom = 0;
  for (const { seriesId, cardId, createdAt, clearedAt = createdAt } of await payments.findLatestCharges(userId)) {
    const { clockAhead = 0 } = (await spendings.findSettings(seriesId ?? cardId)) ?? {};
    // Payments have the times of the card's clock, which a sandbox may have set ahead.
    const ahead = spendingNow({ clockAhead }, now).getTime() - now.getTime();
    const end = Math.max(createdAt.getTime(), clearedAt.getTime()) - ahead + erasureWaitDays * DAY_MS;
    if (now.getTime() < end) erasableFrom = Math.max(erasableFrom, end);
  }
  if (erasableFrom > 0)
    throw new CodedError('USER_HAS_RECENT_PAYMENTS', { metadata: { erasableFrom: new Date(erasableFrom).toISOString() } });
};

/** The RPCs about the personal data of the card service: the cardholder with the phone number, cards with their limits, and payments. */
export const servePersonalData = (parts: Parts): ServiceImplementation => {
  const { cardholders, cards, payments, runtime } = parts;
  const paymentSection: PersonalDataSection = {
    kind: 'payment',
    page: async (userId, { limit, after }) => {
      const found = await payments.page(userId, { limit, before: after });
      return { records: found.map(toExportedPayment), next: found.length < limit ? undefined : found.at(-1)?.listId };
    },
  };
  const cardSection: PersonalDataSection = {
    kind: 'card',
    page: async (userId, { limit, after }) => {
      const found = await cards.page(userId, { limit, before: after, status: undefined, now: runtime.now() });
      return { records: found.map(toExported), next: found.length < limit ? undefined : found.at(-1)?.id };
    },
  };
  const cardholderSection = singleRecord('cardholder', async (userId) => {
    const cardholder = await cardholders.find(userId);
    return cardholder && toExportedCardholder(cardholder);
  });
  return personalDataService({
    sections: [cardholderSection, cardSection, spendingSection(parts), paymentSection],
    runtime,
    check: async (userId) => {
      if (await payments.hasOpenDispute(userId)) throw new CodedError('USER_HAS_OPEN_DISPUTES');
      await checkPayments(parts, userId);
    },
    erase: (userId) => eraseCards(parts, userId),
  });
};
