import { kept } from '@florin/ui/page/kept.ts';
import { parseNames, type RecipientNames } from '../domain/recipients.ts';
import { chosenWallet } from '../wallet/chosen-wallet.ts';

/** Each wallet has names of its own, so that the app offers nobody those of another person. They are not secret from who else uses this browser. */
const keyOf = (address: string | undefined = chosenWallet()?.address): string => `florin.recipients.${address?.toLowerCase() ?? ''}`;

/** The names that the person has given to recipients. The platform keeps no address book, so they stay in this browser after a sign-out. */
export const recipientNames = (): RecipientNames => parseNames(kept.read(keyOf()));

/** Names the recipient of an address; an empty name takes its name away. */
export const nameRecipient = (address: string, name: string): void => {
  const names = new Map(recipientNames());
  if (name === '') names.delete(address.toLowerCase());
  else names.set(address.toLowerCase(), name);
  kept.keep(keyOf(), JSON.stringify(Object.fromEntries(names)));
};

/** Forgets the names that the person has given with a wallet: with the one that is signed in, unless another one is named. */
export const forgetRecipientNames = (address?: string): void => kept.forget(keyOf(address));
