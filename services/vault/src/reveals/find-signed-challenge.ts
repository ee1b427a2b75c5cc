import { canonicalSignature } from '@florin/evm/signatures';
import { recoverMessageSigner } from '@florin/evm/typed-messages';
import { CodedError } from '@florin/rpc/errors';
import type { WalletsClient } from '../clients/wallets.ts';
import type { CardDataChallenge } from '../domain/card.ts';
import { cardDataMessage } from '../domain/card-data-text.ts';

/** A consent and the wallet that signed it. */
export type SignedChallenge = { challenge: CardDataChallenge; wallet: string };

type Call = { token: string; requestId: string };

/**
 * Finds which of the open consents a wallet of the user has signed. Only stored typed data counts: a signature over another action, card,
 * key or chain recovers to an address that is not the user's.
 * @throws CodedError INVALID_SIGNATURE if none was signed, the reason is not disclosed; SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT
 */
export const findSignedChallenge = async (
  wallets: WalletsClient,
  open: readonly CardDataChallenge[],
  text: string,
  call: Call,
  now: Date,
): Promise<SignedChallenge> => {
  const signature = canonicalSignature(text);
  if (signature === undefined || open.length === 0) throw new CodedError('INVALID_SIGNATURE');
  const allowed = await wallets.approving(call, now);
  for (const challenge of open) {
    const wallet = await recoverMessageSigner(cardDataMessage(challenge.chainId, challenge), signature);
    if (wallet !== undefined && allowed.has(wallet.toLowerCase())) return { challenge, wallet };
  }
  throw new CodedError('INVALID_SIGNATURE');
};
