import type { ApproveWalletRecoveryRequest } from '@florin/proto/identity/v1/wallet_recovery_service';
import { assertOwnName } from '@florin/rpc/actors';
import { serviceMethod } from '@florin/rpc/server';
import type { Dependencies } from './dependencies.ts';
import { toWireRecovery } from './wallet-recoveries.ts';

/** Approves a recovery, by another person than the one who ordered it, and carries it out. */
export const approveWalletRecovery = ({ recoveries, notices }: Dependencies) =>
  serviceMethod(async (request: ApproveWalletRecoveryRequest, { caller }) => {
    const { recoveryId, actor } = request;
    assertOwnName(caller, actor);
    const recovery = await recoveries.approve(recoveryId, actor);
    notices.kick();
    return { recovery: toWireRecovery(recovery) };
  });
