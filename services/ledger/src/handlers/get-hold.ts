import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { HoldStatus } from '@florin/proto/ledger/v1/hold';
import { HoldService } from '@florin/proto/ledger/v1/hold_service';
import { CodedError } from '@florin/rpc/errors';
import { serviceMethod } from '@florin/rpc/server';
import { endOfHold } from './change-hold.ts';
import type { Dependencies } from './dependencies.ts';
import { ownedMethod } from './owned-method.ts';

/** A posting with an id of its own leaves no entry under the id of a hold's end. */
const ENDED_BY: Readonly<Record<string, HoldStatus>> = { 'hold.voided': HoldStatus.VOIDED, 'hold.expired': HoldStatus.EXPIRED };

/** A hold as of the last durable block. */
export const getHold = (dependencies: Dependencies) =>
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
