import { signableOf } from '@florin/evm/testing';
import { SiwePurpose } from '@florin/proto/identity/v1/auth_service';
import { WalletChange } from '@florin/proto/identity/v1/wallet_service';
import type { PrivateKeyAccount } from 'viem/accounts';
import { as, type Clients, DOMAIN } from './world.ts';

type ProofOptions = { domain?: string; scheme?: string; purpose?: SiwePurpose };

/** The proof of a new wallet: a message for its addition, which it signed. */
export const proveNew = async (
  clients: Clients,
  wallet: PrivateKeyAccount,
  { domain = DOMAIN, scheme = 'http', purpose = SiwePurpose.ADD_WALLET }: ProofOptions = {},
) => {
  const { message } = await clients.auth.createSiweMessage({ address: wallet.address, domain, uri: `${scheme}://${domain}/`, purpose });
  return { message, signature: await wallet.signMessage({ message }) };
};

/** Typed data for a change of a wallet. */
export const challengeFor = async (clients: Clients, token: string, wallet: string, change: WalletChange = WalletChange.ADD) => {
  const { typedData } = await clients.wallets.createWalletChallenge({ wallet, change }, as(token));
  if (typedData === undefined) throw new Error('the challenge has no typed data');
  return signableOf(typedData);
};

/** The approval of a change of a wallet by an existing one. */
export const approve = async (
  clients: Clients,
  token: string,
  wallet: string,
  by: PrivateKeyAccount,
  change: WalletChange = WalletChange.ADD,
) => by.signTypedData(await challengeFor(clients, token, wallet, change));

/** Removes a wallet, with the approval of an existing one. */
export const removeApproved = async (clients: Clients, token: string, wallet: string, by: PrivateKeyAccount) =>
  clients.wallets.removeWallet({ address: wallet, approval: await approve(clients, token, wallet, by, WalletChange.REMOVE) }, as(token));

/** Everything that adding a wallet takes. */
export const proofToAdd = async (
  clients: Clients,
  token: string,
  wallet: PrivateKeyAccount,
  by: PrivateKeyAccount,
  options: ProofOptions = {},
) => ({
  ...(await proveNew(clients, wallet, options)),
  approval: await approve(clients, token, wallet.address, by),
});
