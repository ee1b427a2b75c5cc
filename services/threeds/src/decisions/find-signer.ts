import { canonicalSignature } from '@florin/kit/signatures';
import type { Wallets } from '../clients/wallets.ts';
import type { Challenge, Decision, IssuedTypedData, Receipt } from '../domain/challenge.ts';
import { recoverSigner } from '../domain/decision-signature.ts';
import { decisionTypedData } from '../domain/decision-typed-data.ts';

export type SignedTypedData = Omit<Receipt, 'decidedAt'>;

/**
 * Finds which of the open typed data of this decision a wallet of the user signed. Only what is stored counts: typed data of the
 * other decision, of another challenge or chain recovers to some address that is not the user's.
 * @returns undefined when none, whatever the reason: nobody learns how close a guess came
 * @throws CodedError SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT when the user's wallets cannot be had: no wallets, no decision
 */
export const findSigner = async (
  wallets: Wallets,
  challenge: Challenge,
  submitted: { decision: Decision; signature: string },
  call: { requestId: string },
): Promise<SignedTypedData | undefined> => {
  const signature = canonicalSignature(submitted.signature);
  const open = challenge.issued[submitted.decision];
  if (signature === undefined || open.length === 0) return undefined;

  const recover = async ({ nonce, authorization, issuedAt }: IssuedTypedData) => {
    const typedData = decisionTypedData(challenge.chainId, { authorization, nonce });
    const signer = await recoverSigner(typedData, signature);
    return signer === undefined ? [] : [{ typedData, signature, signer, issuedAt }];
  };
  const candidates = (await Promise.all(open.map(recover))).flat();
  if (candidates.length === 0) return undefined;

  const allowed = await wallets.ofUser(challenge.userId, call);
  return candidates.find(({ signer }) => allowed.has(signer.toLowerCase()));
};
