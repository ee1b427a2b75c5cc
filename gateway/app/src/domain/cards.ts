import type { Card } from '@florin/client';

const LIVE = new Set(['active', 'frozen']);

/** Cards that can be used now, and after them those that can be used once they are unfrozen. */
export const liveCards = <T extends { status: string }>(cards: readonly T[]): T[] =>
  cards.filter(({ status }) => LIVE.has(status)).sort((one, other) => Number(one.status === 'frozen') - Number(other.status === 'frozen'));

export const goneCards = <T extends { status: string }>(cards: readonly T[]): T[] => cards.filter(({ status }) => !LIVE.has(status));

const SOON_DAYS = 60;

/** Reports whether the card expires within sixty days. It is good until the end of its expiry month. */
export const expiresSoon = ({ expMonth, expYear }: Pick<Card, 'expMonth' | 'expYear'>, now: Date): boolean =>
  Date.UTC(expYear, expMonth) - now.getTime() <= SOON_DAYS * 86_400_000;
