import type { ContractSigners } from '@florin/evm/contract-signers';
import { findSigned } from '@florin/evm/signers';
import type { TypedMessage } from '@florin/evm/typed-messages';
import { CodedError } from '@florin/rpc/errors';
import type { Runtime } from '@florin/rpc/runtime';
import type { Address } from 'viem';
import type { AccountsClient } from '../clients/accounts.ts';
import type { SigningWallet, WalletsClient } from '../clients/wallets.ts';
import { textAsIssued } from '../domain/authorization-text.ts';
import type { Challenge, Decision, SignerProof } from '../domain/challenge.ts';
import { decisionTypedData } from '../domain/decision-typed-data.ts';

/** A receipt without the time of the decision. */
export type SignedTypedData = SignerProof & { typedData: TypedMessage; signature: string; signer: string; issuedAt: Date };

type Submitted = { decision: Decision; signature: string };

type Signers = {
  wallets: WalletsClient;
  accounts: Pick<AccountsClient, 'find'>;
  contracts: ContractSigners;
  runtime: Pick<Runtime, 'now'>;
};

/** Requires that a wallet may decide. A new wallet may belong to a thief, whom a declined payment gives nothing. @throws CodedError WALLET_COOLING */
const requireCooled = (wallet: SigningWallet | undefined, decision: Decision, now: Date): void => {
  if (decision === 'approve' && wallet !== undefined && now < wallet.approvesFrom) throw new CodedError('WALLET_COOLING');
};

/**
 * Finds which of the open typed data of this decision the user has signed: with a sign-in wallet, or else as their Safe. The text is written from
 * the challenge that is about to be decided: a signature over another decision, amount, merchant, challenge or chain recovers to an address that
 * is not the user's.
 * @returns undefined if none was signed; the reason is not disclosed
 * @throws CodedError WALLET_COOLING when a wallet approves before its cooling time is over; the signature is not counted as bad.
 * SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT when the user's wallets cannot be fetched, or when no wallet signed and the
 * Safe cannot be called: the decision is not made and the signature is not counted as bad
 */
export const findSigner = async (
  { wallets, accounts, contracts, runtime }: Signers,
  challenge: Challenge,
  { decision, signature: text }: Submitted,
): Promise<SignedTypedData | undefined> => {
  const { userId, accountId, chainId, safeAddress } = challenge;
  const open = challenge.issued[decision].map(({ nonce, issuedAt, authorization }) => ({
    message: decisionTypedData(chainId, { authorization: textAsIssued(challenge, decision, authorization), nonce }),
    issuedAt,
  }));
  let asked: ReturnType<WalletsClient['ofUser']> | undefined;
  const ofUser = () => {
    asked ??= wallets.ofUser(userId);
    return asked;
  };
  const safe = async () => {
    const owner = safeAddress === undefined ? undefined : (await accounts.find(accountId))?.safeOwner;
    return owner === undefined ? undefined : { chainId, address: safeAddress as Address, owner };
  };
  const signed = await findSigned(open, text, { wallets: ofUser, safe, contracts });
  if (signed === undefined) return undefined;
  requireCooled((await ofUser()).get(signed.wallet), decision, runtime.now());
  const { wallet: _wallet, open: found, ...proof } = signed;
  return { ...proof, typedData: found.message, issuedAt: found.issuedAt };
};
