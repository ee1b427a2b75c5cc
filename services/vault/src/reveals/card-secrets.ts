import type { Expiry, VaultCard } from '../domain/card.ts';
import type { DataKeys } from '../keys/data-keys.ts';
import type { VaultKeys } from '../keys/vault-keys.ts';

/** The data on a card, in the form in which it is sealed for those who may see it. */
export type CardDetails = Expiry & { pan: string; cvv2: string };

/** Decrypts a card's number and derives its security code. @throws Error when the data key cannot be unwrapped */
export const cardDetails = async (
  parts: { dataKeys: DataKeys; keys: Pick<VaultKeys, 'securityCode'> },
  card: VaultCard,
): Promise<CardDetails> => {
  const pan = await (await parts.dataKeys.open(card)).open('pan', card.pan);
  const { expMonth, expYear } = card;
  return { pan, expMonth, expYear, cvv2: parts.keys.securityCode(pan, card) };
};
