import type { RejectWalletRecoveryRequest } from '@florin/proto/identity/v1/wallet_recovery_service';
import { assertOwnName } from '@florin/rpc/actors';
import { serviceMethod } from '@florin/rpc/server';
import type { Dependencies } from './dependencies.ts';
import { toWireRecovery } from './wallet-recoveries.ts';

/** Ends a pending recovery. */
export const rejectWalletRecovery = ({ recoveries }: Dependencies) =>
  serviceMethod(async (request: RejectWalletRecoveryRequest, { caller }) => {
    const { recoveryId, actor } = request;
    assertOwnName(caller, actor);
    return { recovery: toWireRecovery(await recoveries.reject(recoveryId, actor)) };
  });
