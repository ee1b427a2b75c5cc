import type { ContractSigners } from '@florin/evm/contract-signers';
import { canonicalSignature, contractSignature } from '@florin/evm/signatures';
import { messageDigest, recoverMessageSigner } from '@florin/evm/typed-messages';
import { CodedError } from '@florin/rpc/errors';
import type { AccountsClient } from '../clients/accounts.ts';
import type { WalletsClient } from '../clients/wallets.ts';
import type { CardDataChallenge } from '../domain/card.ts';
import { cardDataMessage } from '../domain/card-data-text.ts';

/** A challenge, and the address that signed it: a wallet of the user, or the Safe of their account. */
export type SignedChallenge = { challenge: CardDataChallenge; wallet: string };

/** Who can sign beside the user's wallets. */
export type Signers = { accounts: AccountsClient; contracts: ContractSigners };

/** Addresses in lower case. */
type ApprovingWallets = Promise<ReadonlySet<string>>;

type Call = { token: string; requestId: string };

/** Signatures of about thirty owners. */
const MAX_SIGNATURE_BYTES = 2048;

const messageOf = (challenge: CardDataChallenge) => cardDataMessage(challenge.chainId, challenge);

/** The challenge that a wallet of the user has signed. */
const findWallet = async (
  open: readonly CardDataChallenge[],
  text: string,
  allowed: ReadonlySet<string>,
): Promise<SignedChallenge | undefined> => {
  const signature = canonicalSignature(text);
  if (signature === undefined) return undefined;
  for (const challenge of open) {
    const wallet = await recoverMessageSigner(messageOf(challenge), signature);
    if (wallet !== undefined && allowed.has(wallet.toLowerCase())) return { challenge, wallet };
  }
  return undefined;
};

/**
 * The challenge whose signature the Safe of the user's account accepts (EIP-1271). No other contract is ever called. The Safe counts only while the
 * wallet that it was created for may approve for the user: after the theft of that wallet, its key still controls the Safe on chain.
 */
const findSafe = async (
  { accounts, contracts }: Signers,
  open: readonly CardDataChallenge[],
  text: string,
  allowed: ReadonlySet<string>,
  call: Call,
): Promise<SignedChallenge | undefined> => {
  const signature = contractSignature(text, MAX_SIGNATURE_BYTES);
  if (signature === undefined || !open.some(({ chainId }) => contracts.serves(chainId))) return undefined;
  const { chainId, safeAddress, safeOwner = '' } = await accounts.chainOf(call);
  if (safeAddress === undefined || !contracts.serves(chainId) || !allowed.has(safeOwner)) return undefined;
  const candidates = open.filter((challenge) => challenge.chainId === chainId);
  const digests = candidates.map((challenge) => messageDigest(messageOf(challenge)));
  const accepted = await contracts.findAccepted({ chainId, contract: safeAddress, signature }, digests);
  const challenge = accepted === undefined ? undefined : candidates[digests.indexOf(accepted.digest)];
  return challenge === undefined ? undefined : { challenge, wallet: safeAddress };
};

/** Asks for the wallets that may approve for the user, while other checks go on. */
export const askForWallets = ({ wallets }: { wallets: WalletsClient }, call: Call, now: Date): ApprovingWallets => {
  const approving = wallets.approving(call, now);
  // Nobody waits for it when another check fails first.
  approving.catch(() => undefined);
  return approving;
};

/**
 * Finds which of the open challenges the user has signed: with a wallet, or else as the Safe of their account. Only stored typed data counts: a
 * signature over another action, card, key or chain recovers to an address that is not the user's.
 * @throws CodedError INVALID_SIGNATURE if none was signed, the reason is not disclosed; SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT, also when no wallet
 * has signed and the Safe cannot be asked: the challenge stays open
 */
export const findSignedChallenge = async (
  signers: Signers,
  open: readonly CardDataChallenge[],
  text: string,
  approving: ApprovingWallets,
  call: Call,
): Promise<SignedChallenge> => {
  if (open.length === 0 || contractSignature(text, MAX_SIGNATURE_BYTES) === undefined) throw new CodedError('INVALID_SIGNATURE');
  const allowed = await approving;
  const signed = (await findWallet(open, text, allowed)) ?? (await findSafe(signers, open, text, allowed, call));
  if (signed === undefined) throw new CodedError('INVALID_SIGNATURE');
  return signed;
};
