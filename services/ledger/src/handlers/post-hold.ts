import { HoldService } from '@florin/proto/ledger/v1/hold_service';
import { requireFields } from '@florin/rpc/contract';
import { serviceMethod } from '@florin/rpc/server';
import { holdPosted } from '../domain/hold-posting.ts';
import { changeHold, readShare } from './change-hold.ts';
import type { Dependencies } from './dependencies.ts';
import { readMetadata } from './fields.ts';
import { ownedMethod } from './owned-method.ts';

/** Takes the money of a hold, whole or in part; a forced posting is always booked. */
export const postHold = (dependencies: Dependencies) =>
  ownedMethod(
    dependencies.shards,
    HoldService.method.postHold,
    serviceMethod,
    (request, call) => {
      const { accountId, holdId, postingId, keepOpen, forced, fromHold, amount, transfers } = request;
      requireFields({
        posting_id: keepOpen && postingId === '' ? 'is required with keep_open' : undefined,
        from_hold: fromHold !== '' && !forced ? 'needs forced' : undefined,
      });
      const posting = { postingId: postingId || undefined, keepOpen, forced, metadata: readMetadata(request.metadata) };
      const share = readShare(dependencies, call.caller, { accountId, amount, transfers });
      const { systemAccounts } = dependencies;
      const most = fromHold === '' ? {} : { fromHold: BigInt(fromHold) };
      return { accountId, holdId, intent: holdPosted({ accountId, holdId }, { ...posting, ...most, share, systemAccounts }) };
    },
    ({ intent, ...key }, journal) => changeHold(journal, key, intent),
  );
