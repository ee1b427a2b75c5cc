/** Colours of cards, in the order in which they are offered. A card without a choice has the first. */
export const CARD_COLOURS = ['green', 'blue', 'violet', 'red', 'brown', 'grey'] as const;
