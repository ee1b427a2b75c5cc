import type { CreateWalletRecoveryRequest } from '@florin/proto/identity/v1/wallet_recovery_service';
import { assertOwnName } from '@florin/rpc/actors';
import { requireFields } from '@florin/rpc/contract';
import { serviceMethod } from '@florin/rpc/server';
import { getAddress, isAddress } from 'viem';
import type { Dependencies } from './dependencies.ts';
import { toWireRecovery } from './wallet-recoveries.ts';

const replacementProblem = (replacement: string, lost: string): string | undefined => {
  const isExact = isAddress(replacement, { strict: true }) && getAddress(replacement) === replacement;
  if (!isExact) return 'must be an address in its EIP-55 spelling';
  return replacement === lost ? 'must differ from lost_wallet' : undefined;
};

/** Orders the replacement of a lost wallet. */
export const createWalletRecovery = ({ recoveries, notices }: Dependencies) =>
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
