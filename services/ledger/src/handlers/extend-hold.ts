import { timestampDate } from '@bufbuild/protobuf/wkt';
import { HoldService } from '@florin/proto/ledger/v1/hold_service';
import { stated } from '@florin/rpc/contract';
import { serviceMethod } from '@florin/rpc/server';
import { holdExtended } from '../domain/hold.ts';
import { changeHold } from './change-hold.ts';
import type { Dependencies } from './dependencies.ts';
import { readMetadata } from './fields.ts';
import { ownedMethod } from './owned-method.ts';

/** Makes a hold expire later. */
export const extendHold = (dependencies: Dependencies) =>
  ownedMethod(
    dependencies.shards,
    HoldService.method.extendHold,
    serviceMethod,
    (request) => {
      const { accountId, holdId, changeId } = request;
      const change = { expiresAt: timestampDate(stated(request.expiresAt)), metadata: readMetadata(request.metadata) };
      return { accountId, holdId, intent: holdExtended({ accountId, holdId }, changeId, change) };
    },
    ({ intent, ...key }, journal) => changeHold(journal, key, intent),
  );
