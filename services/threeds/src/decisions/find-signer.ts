import type { ContractSigners } from '@florin/evm/contract-signers';
import { canonicalSignature } from '@florin/evm/signatures';
import { messageDigest, recoverMessageSigner, type TypedMessage } from '@florin/evm/typed-messages';
import { CodedError } from '@florin/rpc/errors';
import type { Runtime } from '@florin/rpc/runtime';
import type { Address } from 'viem';
import type { AccountsClient } from '../clients/accounts.ts';
import type { SigningWallet, WalletsClient } from '../clients/wallets.ts';
import type { Challenge, Decision, IssuedTypedData, SignerProof } from '../domain/challenge.ts';
import { safeSignature } from '../domain/decision-signature.ts';
import { decisionTypedData } from '../domain/decision-typed-data.ts';

/** A receipt without the time of the decision. */
export type SignedTypedData = SignerProof & { typedData: TypedMessage; signature: string; signer: string; issuedAt: Date };

type Open = { typedData: TypedMessage; issuedAt: Date };
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

/** The open typed data that a sign-in wallet of the user has signed. @throws CodedError WALLET_COOLING */
const findWallet = async (
  { wallets, runtime }: Pick<Signers, 'wallets' | 'runtime'>,
  { userId }: Challenge,
  open: readonly Open[],
  submitted: Submitted,
): Promise<SignedTypedData | undefined> => {
  const signature = canonicalSignature(submitted.signature);
  if (signature === undefined) return undefined;
  const recover = async ({ typedData, issuedAt }: Open) => {
    const signer = await recoverMessageSigner(typedData, signature);
    return signer === undefined ? [] : [{ signerType: 'wallet' as const, typedData, signature, signer, issuedAt }];
  };
  const candidates = (await Promise.all(open.map(recover))).flat();
  if (candidates.length === 0) return undefined;
  const allowed = await wallets.ofUser(userId);
  const signed = candidates.find(({ signer }) => allowed.has(signer.toLowerCase()));
  requireCooled(allowed.get(signed?.signer.toLowerCase() ?? ''), submitted.decision, runtime.now());
  return signed;
};

/**
 * The open typed data whose signature the Safe of the challenge's account accepts. No other contract is ever called. The Safe counts only while
 * the wallet that it was created for is a wallet of the user: after the theft of that wallet, its key still controls the Safe on chain.
 */
const findSafe = async (
  { contracts, accounts, wallets, runtime }: Signers,
  { chainId, safeAddress, accountId, userId }: Challenge,
  open: readonly Open[],
  submitted: Submitted,
): Promise<SignedTypedData | undefined> => {
  const signature = safeSignature(submitted.signature);
  if (signature === undefined || safeAddress === undefined || !contracts.serves(chainId)) return undefined;
  const digests = open.map(({ typedData }) => messageDigest(typedData));
  const accepted = await contracts.findAccepted({ chainId, contract: safeAddress as Address, signature }, digests);
  const signed = accepted === undefined ? undefined : open[digests.indexOf(accepted.digest)];
  if (accepted === undefined || signed === undefined) return undefined;
  const [account, allowed] = await Promise.all([accounts.find(accountId), wallets.ofUser(userId)]);
  const owner = allowed.get(account?.safeOwner ?? '');
  if (owner === undefined) return undefined;
  requireCooled(owner, submitted.decision, runtime.now());
  return { signerType: 'safe', blockNumber: accepted.blockNumber, signature, signer: safeAddress, ...signed };
};

/**
 * Finds which of the open typed data of this decision the user has signed: with a sign-in wallet, or else as their Safe. Only stored
 * typed data counts: a signature over the other decision, another challenge or another chain recovers to an address that is not the user's.
 * @returns undefined if none was signed; the reason is not disclosed
 * @throws CodedError WALLET_COOLING when a wallet approves before its cooling time is over; the signature is not counted as bad.
 * SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT when the user's wallets cannot be fetched, or when no wallet signed and the
 * Safe cannot be called: the decision is not made and the signature is not counted as bad
 */
export const findSigner = async (signers: Signers, challenge: Challenge, submitted: Submitted): Promise<SignedTypedData | undefined> => {
  const open = challenge.issued[submitted.decision].map(({ nonce, authorization, issuedAt }: IssuedTypedData) => ({
    typedData: decisionTypedData(challenge.chainId, { authorization, nonce }),
    issuedAt,
  }));
  if (open.length === 0) return undefined;
  return (await findWallet(signers, challenge, open, submitted)) ?? (await findSafe(signers, challenge, open, submitted));
};
