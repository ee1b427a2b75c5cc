import { IDENTITY_SCOPES } from '@florin/proto/identity/v1/scopes';
import type { GetWalletRecoveryRequest } from '@florin/proto/identity/v1/wallet_recovery_service';
import { CodedError } from '@florin/rpc/errors';
import { uuidSchema } from '@florin/rpc/fields';
import { parseRequest, serviceMethod } from '@florin/rpc/server';
import { z } from 'zod';
import type { Dependencies } from './dependencies.ts';
import { toWireRecovery } from './wallet-recoveries.ts';

const requestSchema = z.object({ recoveryId: uuidSchema });

/** @throws CodedError RECOVERY_NOT_FOUND, VALIDATION_FAILED */
export const getWalletRecovery = ({ walletRecoveries }: Dependencies) =>
  serviceMethod(IDENTITY_SCOPES.readRecoveries, async (request: GetWalletRecoveryRequest) => {
    const recovery = await walletRecoveries.find(parseRequest(requestSchema, request).recoveryId);
    if (recovery === undefined) throw new CodedError('RECOVERY_NOT_FOUND');
    return { recovery: toWireRecovery(recovery) };
  });
