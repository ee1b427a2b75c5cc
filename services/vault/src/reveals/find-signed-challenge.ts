import { findSigned } from '@florin/evm/signers';
import { CodedError } from '@florin/rpc/errors';
import type { AccountsClient } from '../clients/accounts.ts';
import type { ContractsClient } from '../clients/contract-signers.ts';
import type { WalletsClient } from '../clients/wallets.ts';
import type { CardDataChallenge, VaultCard } from '../domain/card.ts';
import { type CardDataAction, cardDataMessage, cardDataText } from '../domain/card-data-text.ts';

/** A challenge, and the address that signed it: a wallet of the user, or the Safe of their account. */
export type SignedChallenge = { challenge: CardDataChallenge; wallet: string };

/** The action that is about to be done, and the key of the app that it concerns. */
export type CardDataUse = { action: CardDataAction; thumbprint: string };

type Parts = {
  accounts: AccountsClient;
  contracts: ContractsClient;
  keys: { exchange: { kid: string } };
};

/** Addresses in lower case. */
type ApprovingWallets = Promise<ReadonlySet<string>>;

type Call = { token: string; requestId: string };

/** Asks for the wallets that may approve for the user, while other checks go on. */
export const askForWallets = ({ wallets }: { wallets: WalletsClient }, call: Call, now: Date): ApprovingWallets => {
  const approving = wallets.approving(call, now);
  // Nobody waits for it when another check fails first.
  approving.catch(() => undefined);
  return approving;
};

/**
 * Finds which of a card's open challenges the user has signed for a use: with a wallet, or else as the Safe of their account. The text is written
 * from what is about to be done: a signature over another action, card, key or chain recovers to an address that is not the user's.
 * @throws CodedError INVALID_SIGNATURE if none was signed, the reason is not disclosed; SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT, also when no wallet
 * has signed and the Safe cannot be asked: the challenge stays open
 */
export const findSignedChallenge = async (
  { accounts, contracts, keys }: Parts,
  { id: cardId, last4 }: Pick<VaultCard, 'id' | 'last4'>,
  { action, thumbprint }: CardDataUse,
  open: readonly CardDataChallenge[],
  text: string,
  approving: ApprovingWallets,
  call: Call,
): Promise<SignedChallenge> => {
  const candidates = open.map((challenge) => {
    const { chainId, nonce, expiresAt } = challenge;
    const authorization = cardDataText({ action, cardId, last4, thumbprint, vaultKey: keys.exchange.kid, expiresAt });
    return { challenge, message: cardDataMessage(chainId, { authorization, nonce }) };
  });
  const safe = async () => {
    const { chainId, safeAddress, safeOwner } = await accounts.chainOf(call);
    return safeAddress === undefined || safeOwner === undefined ? undefined : { chainId, address: safeAddress, owner: safeOwner };
  };
  const signed = await findSigned(candidates, text, { wallets: () => approving, safe, contracts: contracts.onBehalfOf(call) });
  if (signed === undefined) throw new CodedError('INVALID_SIGNATURE');
  return { challenge: signed.open.challenge, wallet: signed.signer };
};
