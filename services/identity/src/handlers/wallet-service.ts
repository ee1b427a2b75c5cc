import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { contractSignature } from '@florin/evm/signatures';
import { toWireTypedMessage } from '@florin/evm/typed-messages';
import {
  type AddWalletRequest,
  type AskContractRequest,
  type CreateWalletChallengeRequest,
  type MakeWalletPrimaryRequest,
  type RemoveWalletRequest,
  WalletService,
  WalletChange as WireChange,
} from '@florin/proto/identity/v1/wallet_service';
import { requireFields, stated } from '@florin/rpc/contract';
import { CodedError } from '@florin/rpc/errors';
import { implement, type ServiceImplementation, userMethod } from '@florin/rpc/server';
import { getAddress, type Hex } from 'viem';
import type { WalletChange } from '../domain/wallet-approval.ts';
import { walletOf } from '../domain/wallet-rules.ts';
import { completeCardApproval, createCardChallenge, useCardApproval } from './card-approvals.ts';
import type { Dependencies } from './dependencies.ts';
import { requireOwnWallet, requireRecentOwnWallet } from './require-own-wallet.ts';
import { requireUser } from './require-user.ts';
import { toWireWallet } from './to-wire.ts';

const CHANGE_OF: Readonly<Record<WireChange, WalletChange | undefined>> = {
  [WireChange.UNSPECIFIED]: undefined,
  [WireChange.ADD]: 'add',
  [WireChange.MAKE_PRIMARY]: 'make_primary',
  [WireChange.REMOVE]: 'remove',
};

const createWalletChallenge = ({ users, approvals }: Dependencies) =>
  userMethod(async (request: CreateWalletChallengeRequest, { caller }) => {
    const approvable = { change: stated(CHANGE_OF[request.change]), wallet: getAddress(request.wallet.toLowerCase()) };
    await requireOwnWallet({ users }, caller);
    const issued = await approvals.issue({ approvable, caller });
    return { typedData: toWireTypedMessage(issued.typedData), expiresAt: timestampFromDate(issued.expiresAt) };
  });

/**
 * Adds a wallet. Both signatures are checked before either is used up; each is then tied to this addition, so that a killed call can be
 * repeated and nothing else can be done with them.
 */
const addWallet = ({ proveWallet, approvals, addWalletTo, notices, requireRecentSignIn, users }: Dependencies) =>
  userMethod(async (request: AddWalletRequest, { caller }) => {
    const { message, signature, approval } = request;
    const { userId, partnerId } = caller;
    const { user } = await requireRecentOwnWallet({ users, requireRecentSignIn }, caller);
    const { wallet, isCompleted, complete, nonce } = await proveWallet(
      { message, signature },
      {
        purpose: 'add_wallet',
        name: `add-wallet:${userId}`,
        check: ({ partner }) => {
          if (partner.id !== partnerId) throw new CodedError('DOMAIN_NOT_ALLOWED');
        },
      },
    );
    if (!isCompleted) {
      const adding = { approvable: { change: 'add', wallet }, approval, use: nonce } as const;
      const approved = await approvals.verify({ user, ...adding, session: caller.sessionId });
      const added = await addWalletTo(userId, wallet, approved.address);
      await complete();
      notices.kick();
      return { wallet: toWireWallet(added, user) };
    }
    // A repeat returns the wallet that it added, and never adds one that was removed since. A call at the same time may have added it after
    // the user was read above.
    const current = requireUser(await users.find(userId));
    const listed = walletOf(current, wallet);
    if (listed === undefined) throw new CodedError('NONCE_USED');
    return { wallet: toWireWallet(listed, current) };
  });

const makeWalletPrimary = ({ approvals, makePrimary, notices, requireRecentSignIn, users }: Dependencies) =>
  userMethod(async (request: MakeWalletPrimaryRequest, { caller }) => {
    const { approval } = request;
    const wallet = getAddress(request.wallet.toLowerCase());
    const { user } = await requireRecentOwnWallet({ users, requireRecentSignIn }, caller);
    const listed = walletOf(user, wallet);
    if (listed === undefined) throw new CodedError('NOT_FOUND');
    if (!listed.primary) {
      const approvable = { change: 'make_primary', wallet } as const;
      const verified = await approvals
        .verify({ user, approvable, approval, use: 'make-primary', session: caller.sessionId, by: wallet })
        .catch(
          // A repeat at the same time may have made the change meanwhile, and with that have used the approval up.
          async (error: unknown) => {
            if (walletOf(requireUser(await users.find(user.id)), wallet)?.primary === true) return undefined;
            throw error;
          },
        );
      if (verified !== undefined) {
        await makePrimary(user, wallet);
        await verified.complete();
        notices.kick();
      }
    }
    return { wallet: toWireWallet({ ...listed, primary: true }, user) };
  });

/** Removes a wallet with the signature of a wallet of the user; one that is cooling removes itself alone. */
const removeWallet = ({ approvals, removeWalletFrom, notices, requireRecentSignIn, users }: Dependencies) =>
  userMethod(async (request: RemoveWalletRequest, { caller }) => {
    const { approval } = request;
    const address = getAddress(request.address.toLowerCase());
    const { user, wallet } = await requireRecentOwnWallet({ users, requireRecentSignIn }, caller);
    const approvable = { change: 'remove', wallet: address } as const;
    await removeWalletFrom(user, address, wallet, () =>
      approvals.verify({ user, approvable, approval, use: 'remove-wallet', session: caller.sessionId, cooling: address }),
    );
    notices.kick();
    return {};
  });

const MAX_SIGNATURE_BYTES = 4096;

const askContract = ({ contracts }: Dependencies) =>
  userMethod(async (request: AskContractRequest) => {
    const { signature, digests } = request;
    const [chainId, contract] = [Number(request.chainId), getAddress(request.contract.toLowerCase())];
    const isSignature = contractSignature(signature, MAX_SIGNATURE_BYTES) !== undefined;
    requireFields({ signature: isSignature ? undefined : `must be 0x hex of at most ${MAX_SIGNATURE_BYTES} bytes` });
    if (!contracts.serves(chainId)) return {};
    const accepted = await contracts.findAccepted({ chainId, contract, signature: signature as Hex }, digests as Hex[]);
    return accepted === undefined ? {} : { digest: accepted.digest, blockNumber: BigInt(accepted.blockNumber) };
  });

/** Implementation of the contract `WalletService`. */
export const walletService = (dependencies: Dependencies): ServiceImplementation =>
  implement(WalletService, {
    createWalletChallenge: createWalletChallenge(dependencies),
    addWallet: addWallet(dependencies),
    makeWalletPrimary: makeWalletPrimary(dependencies),
    removeWallet: removeWallet(dependencies),
    createCardChallenge: createCardChallenge(dependencies),
    useCardApproval: useCardApproval(dependencies),
    completeCardApproval: completeCardApproval(dependencies),
    askContract: askContract(dependencies),
  });
