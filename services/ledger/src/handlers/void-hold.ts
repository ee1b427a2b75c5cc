import { HoldService } from '@florin/proto/ledger/v1/hold_service';
import { serviceMethod } from '@florin/rpc/server';
import { holdVoided } from '../domain/hold.ts';
import { changeHold } from './change-hold.ts';
import type { Dependencies } from './dependencies.ts';
import { readMetadata } from './fields.ts';
import { ownedMethod } from './owned-method.ts';

/** Returns all money of a hold and ends it. */
export const voidHold = (dependencies: Dependencies) =>
  ownedMethod(
    dependencies.shards,
    HoldService.method.voidHold,
    serviceMethod,
    (request) => {
      const { accountId, holdId } = request;
      return { accountId, holdId, intent: holdVoided({ accountId, holdId }, { metadata: readMetadata(request.metadata) }) };
    },
    ({ intent, ...key }, journal) => changeHold(journal, key, intent),
  );
