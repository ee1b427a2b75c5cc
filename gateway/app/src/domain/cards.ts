const LIVE = new Set(['active', 'frozen']);

/** Cards that can be used now or after unfreezing, before those that are gone. */
export const liveCards = <T extends { status: string }>(cards: readonly T[]): T[] => cards.filter(({ status }) => LIVE.has(status));

export const goneCards = <T extends { status: string }>(cards: readonly T[]): T[] => cards.filter(({ status }) => !LIVE.has(status));
