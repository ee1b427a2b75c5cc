import type { Account, Chain, Hex, LocalAccount, Transport, WalletClient } from 'viem';
import type { SafeTypedData, TypedMessage } from '../generated/schemas.ts';

/** A signer: an account of viem with a key, or a client of viem for a wallet such as a browser's. */
export type Wallet = LocalAccount | WalletClient<Transport, Chain | undefined, Account>;

/** The part of both that is used. */
type Signer = { signMessage: (given: object) => Promise<Hex>; signTypedData: (given: object) => Promise<Hex> };

const accountOf = (wallet: Wallet): Account | undefined => ('account' in wallet ? wallet.account : undefined);

export const addressOf = (wallet: Wallet): string => ('account' in wallet ? wallet.account.address : wallet.address);

/** Signs a text (EIP-191). @throws what the wallet throws, for example viem's UserRejectedRequestError */
export const signText = (wallet: Wallet, message: string): Promise<Hex> =>
  (wallet as Signer).signMessage({ account: accountOf(wallet), message });

/** Signs typed data (EIP-712) as it came; the nonce of a text becomes a big integer, as viem takes it. */
export const signTyped = (wallet: Wallet, { domain, primaryType, types, message }: TypedMessage | SafeTypedData): Promise<Hex> => {
  const { EIP712Domain: _, ...own } = types;
  const nonce = primaryType === 'Message' ? { nonce: BigInt(message.nonce) } : {};
  return (wallet as Signer).signTypedData({
    account: accountOf(wallet),
    domain,
    primaryType,
    types: own,
    message: { ...message, ...nonce },
  });
};
