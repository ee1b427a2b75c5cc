const MAX_LENGTH = 26;

/** Reports whether a name is longer than a card's may be. */
export const isTooLong = (name: string): boolean => [...name.trim().normalize('NFC')].length > MAX_LENGTH;
