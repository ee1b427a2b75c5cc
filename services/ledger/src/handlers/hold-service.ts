import { timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt';
import { HoldStatus } from '@florin/proto/ledger/v1/hold';
import { HoldService } from '@florin/proto/ledger/v1/hold_service';
import { requireFields, stated } from '@florin/rpc/contract';
import { CodedError } from '@florin/rpc/errors';
import { implement, type ServiceImplementation, serviceMethod } from '@florin/rpc/server';
import { holdDecreased, holdExtended, holdIncreased, holdVoided } from '../domain/hold.ts';
import { holdPosted } from '../domain/hold-posting.ts';
import { changeHold, endOfHold, readShare, requireShare } from './change-hold.ts';
import type { Dependencies } from './dependencies.ts';
import { readMetadata } from './fields.ts';
import { ownedMethod } from './owned-method.ts';

/** Sets more money aside for a hold, and may extend it. */
const increaseHold = (dependencies: Dependencies) =>
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

/** Returns a part of a hold's money. */
const decreaseHold = (dependencies: Dependencies) =>
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

/** Makes a hold expire later. */
const extendHold = (dependencies: Dependencies) =>
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

/** Takes the money of a hold, whole or in part; a forced posting is always booked. */
const postHold = (dependencies: Dependencies) =>
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

/** Returns all money of a hold and ends it. */
const voidHold = (dependencies: Dependencies) =>
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

/** A posting with an id of its own leaves no entry under the id of a hold's end. */
const ENDED_BY: Readonly<Record<string, HoldStatus>> = { 'hold.voided': HoldStatus.VOIDED, 'hold.expired': HoldStatus.EXPIRED };

/** A hold as of the last durable block. */
const getHold = (dependencies: Dependencies) =>
  ownedMethod(
    dependencies.shards,
    HoldService.method.getHold,
    serviceMethod,
    (request) => request,
    async ({ accountId, holdId }, journal) => {
      const account = await journal.account(accountId);
      if (account === undefined) throw new CodedError('ACCOUNT_NOT_FOUND');
      const open = account.holds.get(holdId);
      if (open === undefined) {
        const { existed, ended } = await endOfHold(journal, { accountId, holdId });
        if (!existed) throw new CodedError('HOLD_NOT_FOUND');
        return { hold: { id: holdId, accountId, status: ENDED_BY[ended ?? ''] ?? HoldStatus.POSTED } };
      }
      return {
        hold: {
          id: holdId,
          accountId,
          status: HoldStatus.OPEN,
          token: open.token,
          parts: open.parts.map(({ credit, amount }) => ({ credit, amount: amount.toString() })),
          expiresAt: timestampFromDate(new Date(open.expiresAt)),
        },
      };
    },
  );

/** Implementation of the contract `HoldService`. */
export const holdService = (dependencies: Dependencies): ServiceImplementation =>
  implement(HoldService, {
    increaseHold: increaseHold(dependencies),
    decreaseHold: decreaseHold(dependencies),
    extendHold: extendHold(dependencies),
    postHold: postHold(dependencies),
    voidHold: voidHold(dependencies),
    getHold: getHold(dependencies),
  });
