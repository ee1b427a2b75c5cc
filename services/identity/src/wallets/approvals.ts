import type { Hex } from '@florin/evm/hex';
import { recoverSigner } from '@florin/evm/signatures';
import { messageDigest, newNonce, type TypedMessage } from '@florin/evm/typed-messages';
import { CodedError } from '@florin/rpc/errors';
import type { Runtime } from '@florin/rpc/runtime';
import type { User, Wallet } from '../domain/user.ts';
import { APPROVAL_LIFE_MS, approvalText, type WalletChange, walletApproval } from '../domain/wallet-approval.ts';
import { isCooling } from '../domain/wallet-rules.ts';
import type { WalletSignatures } from '../siwe/wallet-signatures.ts';
import type { IssuedApproval, WalletApprovalStore } from '../store/wallet-approvals.ts';

/** Approvals of changes of a user's wallets, by signatures of the user's existing wallets. */
export type WalletApprovals = {
  /** Creates typed data that approves one change of one wallet (EIP-55) of one user. */
  issue: (input: { change: WalletChange; userId: string; wallet: string; partnerId: string }) => Promise<{
    typedData: TypedMessage;
    expiresAt: Date;
  }>;
  /**
   * Finds the wallet of the user that signed typed data for this change, and uses the typed data up. The text that must have been signed is made
   * from the change that is about to happen.
   * @param use names the use: a repeat with the same name succeeds until the typed data expires
   * @param by only these wallets of the user count. Default: all
   * @returns address of the wallet that signed, EIP-55, and `complete`, after which no repeat succeeds
   * @throws CodedError INVALID_APPROVAL, WALLET_COOLING, NONCE_EXPIRED, NONCE_USED; SERVICE_UNAVAILABLE when no plain wallet signed and the
   * chain's node is unavailable
   */
  verify: (input: {
    user: Pick<User, 'id' | 'partnerId' | 'wallets'>;
    change: WalletChange;
    wallet: string;
    approval: string;
    use: string;
    by?: string;
  }) => Promise<{ address: string; complete: () => Promise<void> }>;
};

type Parts = {
  store: WalletApprovalStore;
  runtime: Pick<Runtime, 'now' | 'randomBytes'>;
  chainId: number;
  isSignedByWallet: WalletSignatures;
  partnerNameOf: (partnerId: string) => string;
};

type Issued = { nonce: string; digest: Hex };
type Signed = { nonce: string; signer: Wallet };

const findPlain = async (issued: readonly Issued[], signers: readonly Wallet[], approval: string): Promise<Signed | undefined> => {
  for (const { nonce, digest } of issued) {
    const address = await recoverSigner(digest, approval);
    const signer = signers.find((wallet) => wallet.address === address);
    if (signer !== undefined) return { nonce, signer };
  }
  return undefined;
};

export const createWalletApprovals = ({ store, runtime, chainId, isSignedByWallet, partnerNameOf }: Parts): WalletApprovals => {
  /** Every wallet is asked on chain, about the newest typed data only: a smart wallet cannot be told from a plain one by its address. */
  const findSmart = async (issued: readonly Issued[], signers: readonly Wallet[], approval: string): Promise<Signed | undefined> => {
    const asked = issued.flatMap(({ nonce, digest }) =>
      signers.map(async (signer) => ((await isSignedByWallet(signer.address as Hex, digest, approval)) ? [{ nonce, signer }] : [])),
    );
    return (await Promise.all(asked)).flat()[0];
  };

  return {
    issue: async ({ change, userId, wallet, partnerId }) => {
      const expiresAt = new Date(runtime.now().getTime() + APPROVAL_LIFE_MS);
      const authorization = approvalText({ change, partnerName: partnerNameOf(partnerId), userId, wallet, expiresAt });
      const nonce = newNonce(runtime.randomBytes);
      await store.issue(userId, { nonce, change, wallet, expiresAt });
      return { typedData: walletApproval(chainId, { authorization, nonce }), expiresAt };
    },

    verify: async ({ user, change, wallet, approval, use, by }) => {
      const partnerName = partnerNameOf(user.partnerId);
      const digestOf = ({ nonce, expiresAt }: IssuedApproval): Hex => {
        const authorization = approvalText({ change, partnerName, userId: user.id, wallet, expiresAt });
        return messageDigest(walletApproval(chainId, { authorization, nonce }));
      };
      const issued = (await store.list(user.id))
        .filter((one) => one.change === change && one.wallet === wallet)
        .toReversed()
        .map((one) => ({ nonce: one.nonce, digest: digestOf(one) }));
      const signers = user.wallets.filter(({ address }) => by === undefined || address === by);
      const found = (await findPlain(issued, signers, approval)) ?? (await findSmart(issued.slice(0, 1), signers, approval));
      if (found === undefined) throw new CodedError('INVALID_APPROVAL');
      const now = runtime.now();
      if (isCooling(found.signer, now)) throw new CodedError('WALLET_COOLING');
      const outcome = await store.consume(user.id, found.nonce, now, use);
      if (outcome === 'used') throw new CodedError('NONCE_USED');
      if (outcome !== 'consumed') throw new CodedError('NONCE_EXPIRED');
      return { address: found.signer.address, complete: () => store.forget(user.id, found.nonce) };
    },
  };
};
