import { cutPage, decodeTimeCursor, encodeTimeCursor, pageSchema } from '@florin/data/paging';
import { IDENTITY_SCOPES } from '@florin/proto/identity/v1/scopes';
import { type ListWalletRecoveriesRequest, WalletRecoveryStatus } from '@florin/proto/identity/v1/wallet_recovery_service';
import { parseRequest, serviceMethod } from '@florin/rpc/server';
import { z } from 'zod';
import type { Dependencies } from './dependencies.ts';
import { recoveryStatusFrom, toWireRecovery } from './wallet-recoveries.ts';

const requestSchema = z.object({ page: pageSchema, status: z.enum(WalletRecoveryStatus) });

/** @throws CodedError VALIDATION_FAILED */
export const listWalletRecoveries = ({ walletRecoveries }: Dependencies) =>
  serviceMethod(IDENTITY_SCOPES.readRecoveries, async (request: ListWalletRecoveriesRequest) => {
    const { page, status } = parseRequest(requestSchema, request);
    const query = { limit: page.limit + 1, before: decodeTimeCursor(page.cursor), status: recoveryStatusFrom(status) };
    const { rows, nextCursor } = cutPage(await walletRecoveries.page(query), page.limit, encodeTimeCursor);
    return { recoveries: rows.map(toWireRecovery), page: { nextCursor } };
  });
