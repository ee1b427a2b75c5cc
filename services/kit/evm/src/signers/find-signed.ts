import type { Address, Hex } from 'viem';
import type { ContractSigners } from '../contract-signers/index.ts';
import { canonicalSignature, contractSignature } from '../signatures/index.ts';
import { messageDigest, recoverMessageSigner, type TypedMessage } from '../typed-messages/index.ts';

/** Signatures of about thirty owners of a Safe. */
const MAX_SIGNATURE_BYTES = 2048;

/** Typed data that may be signed, with what the caller keeps about it. Its text is what the caller is about to do, not what a record says that was issued. */
export type OpenMessage = { message: TypedMessage };

/** The addresses of wallets, in lower case. */
export type WalletAddresses = { has: (address: string) => boolean };

/** The Safe of a user's account. */
export type UserSafe = {
  /** EIP-155. */
  chainId: number;
  address: Address;
  /** The wallet that the Safe was created for, in lower case. */
  owner: string;
};

/** The typed data that was signed, and by whom. `wallet` is the wallet that signed, or the one that the Safe was created for, in lower case. */
export type Signed<T extends OpenMessage> = { open: T; signature: Hex; signer: Address; wallet: string } & (
  | { signerType: 'wallet' }
  | { signerType: 'safe'; blockNumber: number }
);

/** Signers that count. */
export type Signers = {
  /** The user's wallets; not called for a text that no wallet can have signed. */
  wallets: () => Promise<WalletAddresses>;
  /** The user's Safe; called only when no wallet has signed, and a node serves a chain of the typed data. */
  safe: () => Promise<UserSafe | undefined>;
  contracts: Pick<ContractSigners, 'serves' | 'findAccepted'>;
};

/** Finds which of the typed data a plain wallet of the user has signed. A signature over any other typed data recovers to another address. */
export const findSignedByWallet = async <T extends OpenMessage>(
  open: readonly T[],
  text: string,
  wallets: Signers['wallets'],
): Promise<Signed<T> | undefined> => {
  const signature = canonicalSignature(text);
  if (signature === undefined) return undefined;
  const recover = async (one: T) => {
    const signer = await recoverMessageSigner(one.message, signature);
    return signer === undefined ? [] : [{ signerType: 'wallet' as const, open: one, signature, signer, wallet: signer.toLowerCase() }];
  };
  const candidates = (await Promise.all(open.map(recover))).flat();
  if (candidates.length === 0) return undefined;
  const allowed = await wallets();
  return candidates.find(({ wallet }) => allowed.has(wallet));
};

/**
 * Finds the typed data whose signature the Safe of the user accepts (EIP-1271). No other contract is ever called. The Safe counts only while the
 * wallet that it was created for is a wallet of the user: after the theft of that wallet, its key still controls the Safe on chain.
 */
const findSignedBySafe = async <T extends OpenMessage>(
  open: readonly T[],
  text: string,
  { wallets, safe: findSafe, contracts }: Signers,
): Promise<Signed<T> | undefined> => {
  const signature = contractSignature(text, MAX_SIGNATURE_BYTES);
  if (signature === undefined || !open.some(({ message }) => contracts.serves(message.chainId))) return undefined;
  const [safe, allowed] = await Promise.all([findSafe(), wallets()]);
  if (safe === undefined || !contracts.serves(safe.chainId) || !allowed.has(safe.owner)) return undefined;
  const { chainId, address, owner } = safe;
  const candidates = open.filter(({ message }) => message.chainId === chainId);
  const digests = candidates.map(({ message }) => messageDigest(message));
  const accepted = await contracts.findAccepted({ chainId, contract: address, signature }, digests);
  const signed = accepted === undefined ? undefined : candidates[digests.indexOf(accepted.digest)];
  if (accepted === undefined || signed === undefined) return undefined;
  return { signerType: 'safe', blockNumber: accepted.blockNumber, open: signed, signature, signer: address, wallet: owner };
};

/**
 * Finds which of the open typed data the user has signed: with a wallet, or else as their Safe.
 * @returns undefined if none was signed; the reason is not disclosed
 * @throws CodedError SERVICE_UNAVAILABLE when no wallet has signed and the chain cannot be asked, and what `wallets` and `safe` throw
 */
export const findSigned = async <T extends OpenMessage>(
  open: readonly T[],
  text: string,
  signers: Signers,
): Promise<Signed<T> | undefined> => {
  if (open.length === 0) return undefined;
  return (await findSignedByWallet(open, text, signers.wallets)) ?? (await findSignedBySafe(open, text, signers));
};
