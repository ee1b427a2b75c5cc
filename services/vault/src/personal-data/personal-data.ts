import { type PersonalDataSection, personalDataService } from '@florin/data/privacy';
import type { Runtime } from '@florin/rpc/runtime';
import type { ServiceImplementation } from '@florin/rpc/server';
import type { CardDataAccess } from '../domain/card.ts';
import type { AccessStore } from '../store/accesses.ts';
import type { CardStore } from '../store/cards.ts';

type Parts = { cards: CardStore; accesses: AccessStore; runtime: Pick<Runtime, 'now'> };

const BATCH = 100;

/**
 * Destroys the numbers of the user's cards, then removes who signed from the access log. The log is completed first from events that a
 * killed process has not recorded, so that none of them brings a wallet back.
 */
const eraseCards = async ({ cards, accesses, runtime }: Parts, userId: string): Promise<void> => {
  let before: string | undefined;
  do {
    const page = await cards.page(userId, { limit: BATCH, before });
    for (const { id: cardId } of page) {
      for (const { id, at, payload } of await cards.shred(cardId, runtime.now())) {
        await accesses.insert({ ...(payload as Omit<CardDataAccess, 'id' | 'at'>), id, at });
      }
    }
    before = page.length < BATCH ? undefined : page.at(-1)?.id;
  } while (before !== undefined);
  await accesses.forgetSigners(userId);
};

/**
 * The RPCs about the personal data of the vault: cards without their secrets, and the access log. An erasure destroys each card's data key
 * and what it encrypts; the claim of the number stays, so that the number is never given out again.
 */
export const servePersonalData = (parts: Parts): ServiceImplementation => {
  const sectionOf = <T extends { id: string }>(
    kind: string,
    page: (userId: string, query: { limit: number; before: string | undefined }) => Promise<T[]>,
  ): PersonalDataSection => ({
    kind,
    page: async (userId, { limit, after }) => {
      const records = await page(userId, { limit, before: after });
      return { records, next: records.length < limit ? undefined : records.at(-1)?.id };
    },
  });
  return personalDataService({
    sections: [sectionOf('card_number', parts.cards.page), sectionOf('card_data_access', parts.accesses.page)],
    runtime: parts.runtime,
    erase: (userId) => eraseCards(parts, userId),
  });
};
