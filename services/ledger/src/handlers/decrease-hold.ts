import { HoldService } from '@florin/proto/ledger/v1/hold_service';
import { serviceMethod } from '@florin/rpc/server';
import { holdDecreased } from '../domain/hold.ts';
import { changeHold, readShare, requireShare } from './change-hold.ts';
import type { Dependencies } from './dependencies.ts';
import { readMetadata } from './fields.ts';
import { ownedMethod } from './owned-method.ts';

/** Returns a part of a hold's money. */
export const decreaseHold = (dependencies: Dependencies) =>
  ownedMethod(
    dependencies.shards,
    HoldService.method.decreaseHold,
    serviceMethod,
    (request, call) => {
      const { accountId, holdId, changeId, amount, transfers } = request;
      const metadata = readMetadata(request.metadata);
      const share = requireShare(readShare(dependencies, call.caller, { accountId, amount, transfers }));
      return { accountId, holdId, intent: holdDecreased({ accountId, holdId }, changeId, { share, metadata }) };
    },
    ({ intent, ...key }, journal) => changeHold(journal, key, intent),
  );
