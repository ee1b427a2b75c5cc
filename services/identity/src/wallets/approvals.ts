import type { Hex } from '@florin/evm/hex';
import { findSignedByWallet } from '@florin/evm/signers';
import { messageDigest, newNonce, type TypedMessage } from '@florin/evm/typed-messages';
import type { UserCaller } from '@florin/rpc/auth';
import { CodedError } from '@florin/rpc/errors';
import type { Runtime } from '@florin/rpc/runtime';
import { type User, type Wallet, walletKeyOf } from '../domain/user.ts';
import { APPROVAL_LIFE_MS, type Approvable, approvalMessage, subjectOf } from '../domain/wallet-approval.ts';
import { isCooling } from '../domain/wallet-rules.ts';
import type { WalletSignatures } from '../siwe/wallet-signatures.ts';
import type { IssuedApproval, WalletApprovalStore } from '../store/wallet-approvals.ts';

/** Approvals of changes of a user's wallets and cards, by signatures of the user's existing wallets. */
export type WalletApprovals = {
  /** Creates typed data that approves one change of one wallet or card of one user, for a session. */
  issue: (input: {
    approvable: Approvable;
    caller: Pick<UserCaller, 'userId' | 'partnerId' | 'sessionId'>;
  }) => Promise<{ typedData: TypedMessage; expiresAt: Date }>;
  /**
   * Finds the wallet of the user that signed typed data for this change, and uses the typed data up. The text that must have been signed is made
   * from the change that is about to happen.
   * @param session of the caller: of contracts, its newest typed data is asked about
   * @param use names the use: a repeat with the same name succeeds until the typed data expires
   * @param by only these wallets of the user count. Default: all
   * @param cooling address of the wallet that may sign during its cooling time. Default: none
   * @returns address of the wallet that signed, EIP-55, the nonce that it signed, and `complete`, after which no repeat succeeds
   * @throws CodedError APPROVAL_REQUIRED, INVALID_APPROVAL, WALLET_COOLING, NONCE_EXPIRED, NONCE_USED; SERVICE_UNAVAILABLE when no plain wallet
   * signed and the chain's node is unavailable
   */
  verify: (input: {
    user: Pick<User, 'id' | 'partnerId' | 'wallets'>;
    approvable: Approvable;
    approval: string;
    use: string;
    session: string;
    by?: string;
    cooling?: string;
  }) => Promise<{ address: string; nonce: string; complete: () => Promise<void> }>;
  /** Forgets typed data of a user whose change is made, so that no repeat succeeds. */
  complete: (userId: string, nonce: string) => Promise<void>;
};

type Parts = {
  store: WalletApprovalStore;
  runtime: Pick<Runtime, 'now' | 'randomBytes'>;
  chainId: number;
  isSignedByWallet: WalletSignatures;
  partnerNameOf: (partnerId: string) => string;
};

type Open = { nonce: string; message: TypedMessage };
type Found = { nonce: string; signer: Wallet };

export const createWalletApprovals = ({ store, runtime, chainId, isSignedByWallet, partnerNameOf }: Parts): WalletApprovals => {
  const findPlain = async (open: readonly Open[], signers: readonly Wallet[], approval: string): Promise<Found | undefined> => {
    const byAddress = new Map(signers.map((wallet) => [walletKeyOf(wallet.address), wallet]));
    const signed = await findSignedByWallet(open, approval, async () => byAddress);
    const signer = byAddress.get(signed?.wallet ?? '');
    return signed === undefined || signer === undefined ? undefined : { nonce: signed.open.nonce, signer };
  };

  /** Every wallet is asked on chain, about one typed data only: a smart wallet cannot be told from a plain one by its address. */
  const findSmart = async (open: readonly Open[], signers: readonly Wallet[], approval: string): Promise<Found | undefined> => {
    const asked = open.flatMap(({ nonce, message }) =>
      signers.map(async (signer) =>
        (await isSignedByWallet(signer.address as Hex, messageDigest(message), approval)) ? [{ nonce, signer }] : [],
      ),
    );
    return (await Promise.all(asked)).flat()[0];
  };

  return {
    issue: async ({ approvable, caller: { userId, partnerId, sessionId } }) => {
      const expiresAt = new Date(runtime.now().getTime() + APPROVAL_LIFE_MS);
      const nonce = newNonce(runtime.randomBytes);
      await store.issue(userId, { nonce, change: approvable.change, subject: subjectOf(approvable), session: sessionId, expiresAt });
      const context = { partnerName: partnerNameOf(partnerId), userId, expiresAt };
      return { typedData: approvalMessage(chainId, approvable, context, nonce), expiresAt };
    },

    verify: async ({ user, approvable, approval, use, session, by, cooling }) => {
      if (approval === '') throw new CodedError('APPROVAL_REQUIRED');
      const partnerName = partnerNameOf(user.partnerId);
      const messageOf = ({ nonce, expiresAt }: IssuedApproval): TypedMessage =>
        approvalMessage(chainId, approvable, { partnerName, userId: user.id, expiresAt }, nonce);
      const open = (await store.list(user.id))
        .filter(({ change, subject }) => change === approvable.change && subject === subjectOf(approvable))
        .toReversed()
        .map((one) => ({ nonce: one.nonce, message: messageOf(one), isOwn: one.session === session }));
      const signers = user.wallets.filter(({ address }) => by === undefined || address === by);
      const newest = [open.find(({ isOwn }) => isOwn) ?? open[0]].flatMap((one) => one ?? []);
      const found = (await findPlain(open, signers, approval)) ?? (await findSmart(newest, signers, approval));
      if (found === undefined) throw new CodedError('INVALID_APPROVAL');
      const { nonce, signer } = found;
      const now = runtime.now();
      if (isCooling(signer, now) && signer.address !== cooling) throw new CodedError('WALLET_COOLING');
      const outcome = await store.consume(user.id, nonce, now, use);
      if (outcome === 'used') throw new CodedError('NONCE_USED');
      if (outcome !== 'consumed') throw new CodedError('NONCE_EXPIRED');
      return { address: signer.address, nonce, complete: () => store.forget(user.id, nonce) };
    },

    complete: (userId, nonce) => store.forget(userId, nonce),
  };
};
