import { cutPage, decodeTimeCursor, encodeTimeCursor, pageOf } from '@florin/data/paging';
import {
  type ApproveWalletRecoveryRequest,
  type CreateWalletRecoveryRequest,
  type GetWalletRecoveryRequest,
  type ListWalletRecoveriesRequest,
  type RejectWalletRecoveryRequest,
  WalletRecoveryService,
} from '@florin/proto/identity/v1/wallet_recovery_service';
import { assertOwnName } from '@florin/rpc/actors';
import { requireFields } from '@florin/rpc/contract';
import { CodedError } from '@florin/rpc/errors';
import { implement, type ServiceImplementation, serviceMethod } from '@florin/rpc/server';
import { getAddress, isAddress } from 'viem';
import type { Dependencies } from './dependencies.ts';
import { recoveryStatusFrom, toWireRecovery } from './wallet-recoveries.ts';

const replacementProblem = (replacement: string, lost: string): string | undefined => {
  const isExact = isAddress(replacement, { strict: true }) && getAddress(replacement) === replacement;
  if (!isExact) return 'must be an address in its EIP-55 spelling';
  return replacement === lost ? 'must differ from lost_wallet' : undefined;
};

/** Orders the replacement of a lost wallet. */
const createWalletRecovery = ({ recoveries, notices }: Dependencies) =>
  serviceMethod(async (request: CreateWalletRecoveryRequest, { caller }) => {
    const { recoveryId, userId, replacementWallet, actor, reason } = request;
    const lostWallet = getAddress(request.lostWallet.toLowerCase());
    requireFields({
      replacement_wallet: replacementProblem(replacementWallet, lostWallet),
      reason: reason.trim() === '' ? 'is required' : undefined,
    });
    const order = { userId, lostWallet, replacementWallet, actor, reason };
    assertOwnName(caller, order.actor);
    const recovery = await recoveries.order(recoveryId, order);
    notices.kick();
    return { recovery: toWireRecovery(recovery) };
  });

/** Approves a recovery, by another person than the one who ordered it, and carries it out. */
const approveWalletRecovery = ({ recoveries, notices }: Dependencies) =>
  serviceMethod(async (request: ApproveWalletRecoveryRequest, { caller }) => {
    const { recoveryId, actor } = request;
    assertOwnName(caller, actor);
    const recovery = await recoveries.approve(recoveryId, actor);
    notices.kick();
    return { recovery: toWireRecovery(recovery) };
  });

/** Ends a pending recovery. */
const rejectWalletRecovery = ({ recoveries }: Dependencies) =>
  serviceMethod(async (request: RejectWalletRecoveryRequest, { caller }) => {
    const { recoveryId, actor } = request;
    assertOwnName(caller, actor);
    return { recovery: toWireRecovery(await recoveries.reject(recoveryId, actor)) };
  });

const getWalletRecovery = ({ walletRecoveries }: Dependencies) =>
  serviceMethod(async (request: GetWalletRecoveryRequest) => {
    const recovery = await walletRecoveries.find(request.recoveryId);
    if (recovery === undefined) throw new CodedError('RECOVERY_NOT_FOUND');
    return { recovery: toWireRecovery(recovery) };
  });

const listWalletRecoveries = ({ walletRecoveries }: Dependencies) =>
  serviceMethod(async (request: ListWalletRecoveriesRequest) => {
    const page = pageOf(request);
    const query = { limit: page.limit + 1, before: decodeTimeCursor(page.cursor), status: recoveryStatusFrom(request.status) };
    const { rows, nextCursor } = cutPage(await walletRecoveries.page(query), page.limit, encodeTimeCursor);
    return { recoveries: rows.map(toWireRecovery), page: { nextCursor } };
  });

/** Implementation of the contract `WalletRecoveryService`. */
export const walletRecoveryService = (dependencies: Dependencies): ServiceImplementation =>
  implement(WalletRecoveryService, {
    createWalletRecovery: createWalletRecovery(dependencies),
    approveWalletRecovery: approveWalletRecovery(dependencies),
    rejectWalletRecovery: rejectWalletRecovery(dependencies),
    getWalletRecovery: getWalletRecovery(dependencies),
    listWalletRecoveries: listWalletRecoveries(dependencies),
  });
