/** No two of them overlap, so that a card's number has room for two of them at most. */
const PINS = ['8302', '8517', '9461', '5793'] as const;

/** Two PINs that the vault accepts for a card with this number: digits that stand together in the number are rejected as too simple. */
export const pinsFor = (pan: string): [string, string] => {
  const [one, other] = PINS.filter((pin) => !pan.includes(pin));
  if (one === undefined || other === undefined) throw new Error('unreachable: the digits behind the range have room for two of four PINs');
  return [one, other];
};
