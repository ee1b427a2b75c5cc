import { cutPage, decodeTimeCursor, encodeTimeCursor, pageOf } from '@florin/data/paging';
import type { ListWalletRecoveriesRequest } from '@florin/proto/identity/v1/wallet_recovery_service';
import { serviceMethod } from '@florin/rpc/server';
import type { Dependencies } from './dependencies.ts';
import { recoveryStatusFrom, toWireRecovery } from './wallet-recoveries.ts';

export const listWalletRecoveries = ({ walletRecoveries }: Dependencies) =>
  serviceMethod(async (request: ListWalletRecoveriesRequest) => {
    const page = pageOf(request);
    const query = { limit: page.limit + 1, before: decodeTimeCursor(page.cursor), status: recoveryStatusFrom(request.status) };
    const { rows, nextCursor } = cutPage(await walletRecoveries.page(query), page.limit, encodeTimeCursor);
    return { recoveries: rows.map(toWireRecovery), page: { nextCursor } };
  });
