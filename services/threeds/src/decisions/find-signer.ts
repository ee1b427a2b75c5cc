import { canonicalSignature } from '@florin/evm/signatures';
import { messageDigest, recoverMessageSigner, type TypedMessage } from '@florin/evm/typed-messages';
import type { Address } from 'viem';
import type { WalletsClient } from '../clients/wallets.ts';
import type { Challenge, Decision, IssuedTypedData, SignerProof } from '../domain/challenge.ts';
import { safeSignature } from '../domain/decision-signature.ts';
import { decisionTypedData } from '../domain/decision-typed-data.ts';
import type { ContractSigners } from '../ports/contract-signers.ts';

/** A receipt without the time of the decision. */
export type SignedTypedData = SignerProof & { typedData: TypedMessage; signature: string; signer: string; issuedAt: Date };

type Call = { requestId: string };
type Open = { typedData: TypedMessage; issuedAt: Date };

/** The open typed data that a sign-in wallet of the user has signed. */
const findWallet = async (
  wallets: WalletsClient,
  userId: string,
  open: readonly Open[],
  text: string,
  call: Call,
): Promise<SignedTypedData | undefined> => {
  const signature = canonicalSignature(text);
  if (signature === undefined) return undefined;
  const recover = async ({ typedData, issuedAt }: Open) => {
    const signer = await recoverMessageSigner(typedData, signature);
    return signer === undefined ? [] : [{ signerType: 'wallet' as const, typedData, signature, signer, issuedAt }];
  };
  const candidates = (await Promise.all(open.map(recover))).flat();
  if (candidates.length === 0) return undefined;
  const allowed = await wallets.ofUser(userId, call);
  return candidates.find(({ signer }) => allowed.has(signer.toLowerCase()));
};

/** The open typed data whose signature the Safe of the challenge's account accepts. No other contract is ever called. */
const findSafe = async (
  contracts: ContractSigners,
  challenge: Challenge,
  open: readonly Open[],
  text: string,
): Promise<SignedTypedData | undefined> => {
  const { chainId, safeAddress } = challenge;
  const signature = safeSignature(text);
  if (signature === undefined || safeAddress === undefined || !contracts.serves(chainId)) return undefined;
  const digests = open.map(({ typedData }) => messageDigest(typedData));
  const accepted = await contracts.findAccepted({ chainId, contract: safeAddress as Address, signature }, digests);
  const signed = accepted === undefined ? undefined : open[digests.indexOf(accepted.digest)];
  if (accepted === undefined || signed === undefined) return undefined;
  return { signerType: 'safe', blockNumber: accepted.blockNumber, signature, signer: safeAddress, ...signed };
};

/**
 * Finds which of the open typed data of this decision the user has signed: with a sign-in wallet, or else as their Safe. Only stored
 * typed data counts: a signature over the other decision, another challenge or another chain recovers to an address that is not the user's.
 * @returns undefined if none was signed; the reason is not disclosed
 * @throws CodedError SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT when the user's wallets cannot be fetched, or when no wallet signed and the
 * Safe cannot be called: the decision is not made and the signature is not counted as bad
 */
export const findSigner = async (
  { wallets, contracts }: { wallets: WalletsClient; contracts: ContractSigners },
  challenge: Challenge,
  submitted: { decision: Decision; signature: string },
  call: Call,
): Promise<SignedTypedData | undefined> => {
  const open = challenge.issued[submitted.decision].map(({ nonce, authorization, issuedAt }: IssuedTypedData) => ({
    typedData: decisionTypedData(challenge.chainId, { authorization, nonce }),
    issuedAt,
  }));
  if (open.length === 0) return undefined;
  return (
    (await findWallet(wallets, challenge.userId, open, submitted.signature, call)) ??
    (await findSafe(contracts, challenge, open, submitted.signature))
  );
};
