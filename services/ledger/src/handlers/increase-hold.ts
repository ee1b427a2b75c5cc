import { timestampDate } from '@bufbuild/protobuf/wkt';
import { HoldService } from '@florin/proto/ledger/v1/hold_service';
import { serviceMethod } from '@florin/rpc/server';
import { holdIncreased } from '../domain/hold.ts';
import { changeHold, readShare, requireShare } from './change-hold.ts';
import type { Dependencies } from './dependencies.ts';
import { readMetadata } from './fields.ts';
import { ownedMethod } from './owned-method.ts';

/** Sets more money aside for a hold, and may extend it. */
export const increaseHold = (dependencies: Dependencies) =>
  ownedMethod(
    dependencies.shards,
    HoldService.method.increaseHold,
    serviceMethod,
    (request, call) => {
      const { accountId, holdId, changeId, amount, transfers, forced } = request;
      const expiresAt = request.expiresAt && timestampDate(request.expiresAt);
      const metadata = readMetadata(request.metadata);
      const share = requireShare(readShare(dependencies, call.caller, { accountId, amount, transfers }));
      const change = { share, expiresAt, forced, metadata, systemAccounts: dependencies.systemAccounts };
      return { accountId, holdId, intent: holdIncreased({ accountId, holdId }, changeId, change) };
    },
    async ({ intent, ...key }, journal) => changeHold(journal, key, { ...intent, limits: await dependencies.limitsOf(key.accountId) }),
  );
