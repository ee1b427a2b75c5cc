import type { GetWalletRecoveryRequest } from '@florin/proto/identity/v1/wallet_recovery_service';
import { CodedError } from '@florin/rpc/errors';
import { serviceMethod } from '@florin/rpc/server';
import type { Dependencies } from './dependencies.ts';
import { toWireRecovery } from './wallet-recoveries.ts';

export const getWalletRecovery = ({ walletRecoveries }: Dependencies) =>
  serviceMethod(async (request: GetWalletRecoveryRequest) => {
    const recovery = await walletRecoveries.find(request.recoveryId);
    if (recovery === undefined) throw new CodedError('RECOVERY_NOT_FOUND');
    return { recovery: toWireRecovery(recovery) };
  });
