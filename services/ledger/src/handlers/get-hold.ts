import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { HoldStatus } from '@florin/proto/ledger/v1/hold';
import { HoldService } from '@florin/proto/ledger/v1/hold_service';
import { LEDGER_SCOPES } from '@florin/proto/ledger/v1/scopes';
import { CodedError } from '@florin/rpc/errors';
import { parseRequest } from '@florin/rpc/server';
import { z } from 'zod';
import { endOfHold, holdShape } from './change-hold.ts';
import type { Dependencies } from './dependencies.ts';
import { ownedMethod, withScope } from './owned-method.ts';

const requestSchema = z.object(holdShape);

/** A posting with an id of its own leaves no entry under the id of a hold's end. */
const ENDED_BY: Readonly<Record<string, HoldStatus>> = { 'hold.voided': HoldStatus.VOIDED, 'hold.expired': HoldStatus.EXPIRED };

/**
 * A hold as of the last durable block.
 * @throws CodedError ACCOUNT_NOT_FOUND, HOLD_NOT_FOUND, VALIDATION_FAILED
 */
export const getHold = (dependencies: Dependencies) =>
  ownedMethod(
    dependencies.shards,
    HoldService.method.getHold,
    withScope(LEDGER_SCOPES.readEntries),
    (request) => parseRequest(requestSchema, request),
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
