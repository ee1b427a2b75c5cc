import { type CryptoKey, compactDecrypt } from 'jose';

type Expiry = { expMonth: number; expYear: number };

/** The messages that Florin sends, as docs/processor.md specifies them. */
export type Message =
  | { type: 'card.issue'; data: Expiry & { cardId: string; name: string; last4: string; details: string; replacementFor?: string } }
  | { type: 'card.renew'; data: Expiry & { cardId: string; current: Expiry } }
  | { type: 'card.details'; data: Expiry & { cardId: string; details: string } }
  | { type: 'card.state'; data: Expiry & { cardId: string; revision: number; status: string; frozenBy: string[]; replacedBy?: string } }
  | { type: 'payment.dispute'; data: Dispute };

/** A dispute as Florin tells of it. */
export type Dispute = { disputeId: string; revision: number; paymentId: string; stage: string; amount: string; networkReasonCode?: string };

export type Outcome = 'accepted' | 'refused';

/** A card as the processor knows it. */
export type ProcessorCard = Expiry & { pan: string; cvv2: string; status: string; revision: number; replacementFor?: string };

export type CardDetails = Expiry & { pan: string; cvv2: string };

/** @param key the private part of the vault's `PROCESSOR_KEY` */
const open = async (jwe: string, key: CryptoKey): Promise<CardDetails> => {
  const { plaintext } = await compactDecrypt(jwe, key, {
    keyManagementAlgorithms: ['ECDH-ES'],
    contentEncryptionAlgorithms: ['A256GCM'],
  });
  return JSON.parse(new TextDecoder().decode(plaintext)) as CardDetails;
};

/**
 * The processor's side of Florin's messages. A repeat changes nothing: orders are keyed by card and expiry, and a state with a lower revision
 * than the known one is out of date. A real bridge keeps the cards in the processor; this one keeps them in memory.
 * @param mayIssue the processor's own rule, by which it refuses a card
 */
export const createCardOrders = (key: CryptoKey, mayIssue: (name: string) => boolean) => {
  const cards = new Map<string, ProcessorCard>();
  const disputes = new Map<string, Dispute>();

  const known = (cardId: string): ProcessorCard => {
    const card = cards.get(cardId);
    if (card === undefined) throw new Error(`card ${cardId} is unknown`);
    return card;
  };

  const carryOut = async (message: Message): Promise<Outcome> => {
    switch (message.type) {
      case 'card.issue': {
        const { cardId, name, details, replacementFor } = message.data;
        if (!mayIssue(name)) return 'refused';
        const issued = { ...(await open(details, key)), status: 'active', revision: 0 };
        if (!cards.has(cardId)) cards.set(cardId, { ...issued, ...(replacementFor === undefined ? {} : { replacementFor }) });
        return 'accepted';
      }
      case 'card.renew':
        known(message.data.cardId);
        return 'accepted';
      case 'card.details': {
        const { cardId, details } = message.data;
        cards.set(cardId, { ...known(cardId), ...(await open(details, key)) });
        return 'accepted';
      }
      case 'card.state': {
        const { cardId, revision, status } = message.data;
        const card = known(cardId);
        if (revision > card.revision) cards.set(cardId, { ...card, revision, status });
        return 'accepted';
      }
      case 'payment.dispute': {
        const { disputeId, revision } = message.data;
        if (revision > (disputes.get(disputeId)?.revision ?? 0)) disputes.set(disputeId, message.data);
        return 'accepted';
      }
    }
  };
  return { cards, disputes, carryOut };
};

export type CardOrders = ReturnType<typeof createCardOrders>;
