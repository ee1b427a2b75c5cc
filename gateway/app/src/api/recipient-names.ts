import { kept } from '@florin/ui/page/kept.ts';
import { parseNames, type RecipientNames } from '../domain/recipients.ts';
import { chosenWallet } from '../wallet/chosen-wallet.ts';

/** Each wallet that signs in here has its own: another person of this browser reads none of them. */
const keyOf = (): string => `florin.recipients.${chosenWallet()?.address.toLowerCase() ?? ''}`;

/** The names that the person has given to recipients, in this browser only: the platform keeps no address book. */
export const recipientNames = (): RecipientNames => parseNames(kept.read(keyOf()));

/** Names the recipient of an address; an empty name takes its name away. */
export const nameRecipient = (address: string, name: string): void => {
  const { [address.toLowerCase()]: _former, ...others } = recipientNames();
  kept.keep(keyOf(), JSON.stringify(name === '' ? others : { ...others, [address.toLowerCase()]: name }));
};

export const forgetRecipientNames = (): void => kept.forget(keyOf());
