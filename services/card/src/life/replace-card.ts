import type { Logger } from '@florin/rpc/observe';
import type { Runtime } from '@florin/rpc/runtime';
import { type Card, type ChangeOrigin, seriesOf } from '../domain/card.ts';
import type { Issuing } from '../issuing/issue-card.ts';
import type { CardStore } from '../store/cards.ts';
import type { CardChanges } from './change-card.ts';

type ReplacementParts = { cards: CardStore; changes: CardChanges; issuing: Issuing; runtime: Pick<Runtime, 'newId'> };

/**
 * Replaces lost and stolen cards. The id of the replacement is recorded on the card first, so a card has one replacement: a repeat, a
 * concurrent twin, and a call after a kill issue or return the same card.
 */
export const createReplacements = ({ cards, changes, issuing, runtime }: ReplacementParts) => ({
  /**
   * @returns the replacement
   * @throws CodedError CARD_NOT_FOUND, CARD_STATE_CONFLICT, CARD_LIMIT_REACHED, CARD_ORDER_LIMIT_REACHED, CARD_ISSUING_FAILED,
   * IDEMPOTENCY_KEY_REUSED, SERVICE_UNAVAILABLE
   */
  replace: async (cardId: string, origin: ChangeOrigin, logger: Logger): Promise<Card> => {
    const replaced = await changes.change(cardId, { action: 'replace', replacedBy: runtime.newId() }, origin);
    const { id, userId, accountId, name, colour, replacedBy } = replaced;
    if (replacedBy === undefined) throw new Error('unreachable: the replacement is recorded on the card');
    const issued = await cards.find(replacedBy);
    if (issued !== undefined) return issued;
    const look = { name, ...(colour === undefined ? {} : { colour }) };
    return issuing.issue({ cardId: replacedBy, userId, accountId, ...look, replacementFor: id, seriesId: seriesOf(replaced) }, logger);
  },
});

export type Replacements = ReturnType<typeof createReplacements>;
